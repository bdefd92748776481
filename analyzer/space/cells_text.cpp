#include "analyzer/space/cells_text.h"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <string_view>

namespace recipelint::space {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;

/// Control characters of a hostile file must not reach a terminal.
std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    clean += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return clean;
}

std::string text_of(const String& field) {
  return printable(field.value_or("?"));
}

void append_size(std::string& out, std::string_view name, const Integer& size) {
  if (size.value_or(1) != 1) out += fmt::format(" {}{}", name, *size);
}

/// "tp8 pp2 ep8 dpa"
template <class Owner>
std::string topology(const Owner& owner) {
  std::string out = owner.tp ? fmt::format("tp{}", *owner.tp) : "tp?";
  append_size(out, "pp", owner.pp);
  append_size(out, "dcp", owner.dcp_size);
  append_size(out, "pcp", owner.pcp_size);
  append_size(out, "ep", owner.ep);
  if (owner.dp_attn.value_or(false)) out += " dpa";
  return out;
}

std::string worker(const Field<Worker>& field, char role) {
  const std::string count =
      field->num_worker ? fmt::format("{}", *field->num_worker) : std::string("?");
  return fmt::format("{}{}({})", count, role, topology(*field));
}

std::string describe_row(const MatrixRow& row) {
  std::string out = row.multi_node()
                        ? worker(row.row->prefill, 'p') + " " + worker(row.row->decode, 'd')
                        : topology(*row.row);
  if (row.spec_decoding() != "none") out += fmt::format(" {}", printable(row.spec_decoding()));
  if (row.kv_offloading() == "none") return out;
  out += fmt::format(" kv-{}", printable(row.kv_offloading()));
  if (row.row->kv_offload_backend) out += "-" + text_of(row.row->kv_offload_backend->name);
  return out;
}

std::string lengths(const MatrixRow& row) {
  if (row.agentic()) return "agentic";
  const auto number = [](const Integer& tokens) {
    return tokens ? fmt::format("{}", *tokens) : std::string("?");
  };
  return number(row.scenario->isl) + "/" + number(row.scenario->osl);
}

bool is_evaluated(const MatrixRow& row, std::int64_t concurrency) {
  return row.run_eval && concurrency == row.eval_conc.value_or(concurrency);
}

class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) {}

  void write(std::span<const MatrixRow> matrix);

 private:
  void heading(const MatrixRow& row);
  /// The matrix rows that one row of the search space gave.
  void line(std::span<const MatrixRow> rows);
  void word(std::string_view text, std::size_t indent);

  std::ostream& out_;
  std::size_t column_ = 0;
  std::size_t points_ = 0;
};

void Table::write(std::span<const MatrixRow> matrix) {
  std::size_t evaluated = 0;
  for (std::size_t begin = 0; begin < matrix.size();) {
    std::size_t end = begin;
    for (; end < matrix.size() && matrix[end].row == matrix[begin].row; ++end) {
      points_ += matrix[end].concurrencies.size();
      if (matrix[end].run_eval) ++evaluated;
    }
    if (begin == 0 || matrix[begin].entry != matrix[begin - 1].entry) heading(matrix[begin]);
    line(matrix.subspan(begin, end - begin));
    begin = end;
  }
  out_ << fmt::format("{} rows, {} points, {} rows with evaluation (*)\n", matrix.size(), points_,
                      evaluated);
}

void Table::heading(const MatrixRow& row) {
  const Entry& entry = *row.entry;
  out_ << printable(entry.key) << "  " << printable(row.config->file().path()) << '\n';
  column_ = 0;
  for (const String* field : {&entry.framework, &entry.precision, &entry.runner, &entry.image}) {
    word(text_of(*field), kIndent);
  }
  out_ << '\n';
}

void Table::line(std::span<const MatrixRow> rows) {
  const MatrixRow& first = rows.front();
  const std::string start =
      fmt::format("{:{}}{:<10} {:<44} {:>5}  conc", "", 2 * kIndent, lengths(first),
                  describe_row(first), first.config->file().position(first.row->span().begin).line);
  out_ << start;
  column_ = start.size();
  for (const MatrixRow& row : rows) {
    for (const Concurrency& concurrency : row.concurrencies) {
      word(fmt::format("{}{}", concurrency.value, is_evaluated(row, concurrency.value) ? "*" : ""),
           start.size());
    }
  }
  out_ << '\n';
}

/// Writes a word, on a new line that starts at `indent` if it does not fit.
void Table::word(std::string_view text, std::size_t indent) {
  const std::size_t start = column_ == 0 ? indent : column_ + 1;
  if (column_ != 0 && start + text.size() > kWidth && indent + 1 < kWidth) {
    out_ << '\n' << std::string(indent + 1, ' ');
    column_ = indent + 1;
  } else {
    out_ << std::string(start - column_, ' ');
    column_ = start;
  }
  out_ << text;
  column_ += text.size();
}

}  // namespace

void write_cells_text(std::span<const MatrixRow> matrix, std::ostream& out) {
  Table(out).write(matrix);
}

}  // namespace recipelint::space
