#include <algorithm>
#include <charconv>
#include <utility>

#include "analyzer/shell/builtins_impl.h"
#include "analyzer/shell/escapes.h"
#include "analyzer/shell/printf_format.h"
#include "analyzer/shell/witness.h"

namespace recipelint::shell::builtins {
namespace {

constexpr std::string_view kBlanks = " \t\n";
constexpr std::size_t kMostLines = 100'000;

std::vector<std::optional<std::string>> known_texts(BuiltinCall& call, std::size_t first) {
  std::vector<std::optional<std::string>> out;
  for (std::size_t i = first; i < call.count(); ++i) {
    out.push_back(call.value(i).is_known() ? std::optional<std::string>(call.text(i))
                                           : std::nullopt);
  }
  return out;
}

/// The same up to the first that is certainly no option.
std::vector<std::optional<std::string>> leading_options(BuiltinCall& call) {
  std::vector<std::optional<std::string>> out;
  for (std::size_t i = 1; i < call.count(); ++i) {
    const Value& value = call.value(i);
    if (!value.is_known() || value.may_be_empty()) break;
    const PieceText& first = value.pieces().front().text;
    if (first.parameter() != 0 || first.get().front() != '-') break;
    out.emplace_back(call.text(i));
  }
  return out;
}

bool only_passes_on(std::string_view format) {
  for (auto at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 2)) {
    if (at + 1 == format.size() || std::string_view("sq%").find(format[at + 1]) > 2) return false;
  }
  return true;
}

/// Whether %q leaves it as it is whatever values its parameters have.
bool needs_no_quotes(const Value& value) {
  return std::all_of(value.pieces().begin(), value.pieces().end(), [](const Piece& piece) {
    return piece.text.parameter() != 0 ||
           piece.text.get().find_first_not_of(kParameterAlphabet) == std::string::npos;
  });
}

/// What printf makes of its arguments. Those with parameters are looked at only if the format does
/// not just pass them on.
text::Result<PrintfOutput> printf_output(BuiltinCall& call, const std::string& format,
                                         std::size_t first) {
  std::vector<std::optional<std::string>> texts;
  std::vector<bool> open;
  bool any_open = false;
  for (std::size_t i = first; i < call.count(); ++i) {
    const Value& value = call.value(i);
    open.push_back(value.is_known() && has_parameters(value) && needs_no_quotes(value));
    any_open = any_open || open.back();
    const bool known = value.is_known() && !open.back();
    texts.push_back(known ? std::optional<std::string>(call.text(i)) : std::nullopt);
  }
  if (!any_open) return format_printf(format, texts);
  if (!only_passes_on(format)) return format_printf(format, known_texts(call, first));
  auto output = format_printf(format, texts);
  if (!output) return output;
  for (PrintfPiece& piece : output->pieces) {
    const bool is_open = piece.argument < open.size() && open[piece.argument];
    if (is_open && piece.source == PrintfPiece::Source::kUnknown) {
      piece.source = PrintfPiece::Source::kVerbatim;
    }
  }
  return output;
}

bool is_dropped(const World& world, int descriptor) {
  const Descriptor::Kind kind = Io::descriptor(world, descriptor).kind;
  return kind != Descriptor::Kind::kCapture && kind != Descriptor::Kind::kFile &&
         kind != Descriptor::Kind::kTerminal;
}

Value expanded_escapes(const Value& value, bool& stopped) {
  Value out;
  for (const Piece& piece : value.pieces()) {
    if (stopped) break;
    if (!piece.known || piece.text.parameter() != 0) {
      out.append(piece);
      continue;
    }
    UnescapedText text = expand_escapes(piece.text.get(), EscapeStyle::kEcho);
    stopped = text.stopped;
    out.append(Piece{std::move(text.text), true, piece.origin, {}});
  }
  return out;
}

Value formatted(BuiltinCall& call, std::size_t format_index, Status& status) {
  const Value& format = call.value(format_index);
  if (!format.is_known()) {
    return Value::unknown(std::string(format.cause()), format.origin());
  }
  const std::size_t first = format_index + 1;
  for (std::size_t i = first; i < call.count(); ++i) {
    const std::string& cause = call.invocation.words[i].field.uncertain_count;
    if (!cause.empty()) return Value::unknown(cause, call.value(i).origin());
  }
  const auto output = printf_output(call, format.text(), first);
  if (!output) return Value::unknown("output of printf: " + output.error().message);
  status = Status::of(output->status);
  Value out;
  for (const PrintfPiece& piece : output->pieces) {
    const Value* argument =
        first + piece.argument < call.count() ? &call.value(first + piece.argument) : nullptr;
    switch (piece.source) {
      case PrintfPiece::Source::kFormat:
        out.append(Piece{piece.text, true, format.origin(), {}});
        break;
      case PrintfPiece::Source::kArgument:
        out.append(
            Piece{piece.text, true, argument != nullptr ? argument->origin() : text::Origin(), {}});
        break;
      case PrintfPiece::Source::kVerbatim:
        if (argument != nullptr) out.append(*argument);
        break;
      case PrintfPiece::Source::kUnknown:
        if (argument != nullptr) {
          out.append(Value::unknown(std::string(argument->cause()), argument->origin()));
        }
        break;
    }
  }
  return out;
}

/// The options and names of a read or mapfile.
struct ReadOptions {
  bool raw = false;
  char delimiter = '\n';
  std::optional<std::size_t> characters;
  std::string array;
  int descriptor = 0;
  bool trims = false;    // mapfile -t
  std::size_t skip = 0;  // mapfile -s
  std::size_t most = 0;  // mapfile -n; 0: all
  std::size_t first_name = 0;
};

std::size_t to_number(const std::string& text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

ReadOptions parse_options(BuiltinCall& call, std::string_view with_operand) {
  ReadOptions out;
  std::size_t i = 1;
  for (; i < call.count(); ++i) {
    const std::string word = call.text(i);
    if (word.size() < 2 || word[0] != '-') break;
    if (word == "--") {
      ++i;
      break;
    }
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char letter = word[at];
      std::string operand;
      const bool takes = with_operand.find(letter) != std::string_view::npos;
      if (takes) {
        operand = at + 1 < word.size()   ? word.substr(at + 1)
                  : i + 1 < call.count() ? call.text(++i)
                                         : std::string();
      }
      if (letter == 'r') out.raw = true;
      if (letter == 't' && !takes) out.trims = true;
      if (letter == 'd') out.delimiter = operand.empty() ? '\0' : operand[0];
      if (letter == 'a' && takes) out.array = operand;
      if (letter == 'u') out.descriptor = static_cast<int>(to_number(operand));
      if (letter == 's' && takes) out.skip = to_number(operand);
      if (letter == 'n' || letter == 'N') {
        out.characters = to_number(operand);
        out.most = to_number(operand);
      }
      if (takes) break;
    }
  }
  out.first_name = i;
  return out;
}

// Bytes of a line and whether a backslash took their special meaning.
struct Line {
  Value value;
  std::vector<bool> escaped;
};

Line unescape(const Value& value) {
  Line out;
  bool escapes = false;
  for (const Piece& piece : value.pieces()) {
    Piece copy{{}, true, piece.origin, {}};
    for (const char c : piece.text.get()) {
      if (c == '\\' && !escapes) {
        escapes = true;
        continue;
      }
      copy.text.write() += c;
      out.escaped.push_back(std::exchange(escapes, false));
    }
    out.value.append(std::move(copy));
  }
  return out;
}

/// Splits a known line for read: at most `most` fields, the last takes what is left.
std::vector<Value> split(const Line& line, std::string_view separators, std::size_t most) {
  std::string buffer;
  const std::string_view text = line.value.view(buffer);
  const auto separates = [&](std::size_t i) {
    return !line.escaped[i] && separators.find(text[i]) != std::string_view::npos;
  };
  const auto is_blank = [&](std::size_t i) {
    return separates(i) && kBlanks.find(text[i]) != std::string_view::npos;
  };
  std::vector<Value> fields;
  std::size_t i = 0;
  while (i < text.size() && is_blank(i)) ++i;
  while (i < text.size()) {
    if (fields.size() + 1 == most) {
      std::size_t end = text.size();
      while (end > i && is_blank(end - 1)) --end;
      // One separator at the end of a single field belongs to it and goes; further ones are text.
      std::size_t stop = i;
      while (stop < end && !separates(stop)) ++stop;
      if (stop + 1 == end) end = stop;
      fields.push_back(line.value.slice(i, end));
      return fields;
    }
    std::size_t end = i;
    while (end < text.size() && !separates(end)) ++end;
    fields.push_back(line.value.slice(i, end));
    i = end;
    while (i < text.size() && is_blank(i)) ++i;
    if (i < text.size() && separates(i)) {
      ++i;
      while (i < text.size() && is_blank(i)) ++i;
    }
  }
  return fields;
}

Io::Line read_logical_line(BuiltinCall& call, const ReadOptions& options) {
  Io& io = call.interpreter.io();
  Io::Line line = io.read_line(call.world, options.descriptor, options.delimiter);
  // A backslash before the end joins the next line.
  while (!options.raw && line.complete && !line.text.pieces().empty() &&
         line.text.pieces().back().known && line.text.pieces().back().text.get().ends_with('\\')) {
    std::string& last = line.text.pieces().back().text.write();
    const std::size_t slashes = last.size() - (last.find_last_not_of('\\') + 1);
    if (slashes % 2 == 0) break;
    last.pop_back();
    Io::Line next = io.read_line(call.world, options.descriptor, options.delimiter);
    line.text.append(std::move(next.text));
    line.complete = next.complete;
    line.unknown = line.unknown || next.unknown;
  }
  return line;
}

std::string separators_of(BuiltinCall& call) {
  const Shared<Variable>& ifs = call.world.shell.variables.find(kIfs);
  return ifs && ifs->is_set ? ifs->scalar.text() : std::string(kBlanks);
}

void assign_names(BuiltinCall& call, std::size_t first, std::vector<Value> fields) {
  Session& session = call.interpreter.session();
  for (std::size_t i = first; i < call.count(); ++i) {
    const std::size_t index = i - first;
    Value value = index < fields.size() ? std::move(fields[index]) : Value();
    call.interpreter.variables().assign(call.world, session.names.id(call.text(i)),
                                        std::move(value), call.span());
  }
}

}  // namespace

Status echo(BuiltinCall& call) {
  if (is_dropped(call.world, 1)) return Status::of(0);
  const EchoOptions options = parse_echo_options(leading_options(call));
  Value out;
  bool stopped = false;
  for (std::size_t i = 1 + options.first_argument; i < call.count() && !stopped; ++i) {
    if (i > 1 + options.first_argument) out.append(Piece{" ", true, {}, {}});
    out.append(options.escapes ? expanded_escapes(call.value(i), stopped) : call.value(i));
  }
  if (options.newline && !stopped) out.append(Piece{"\n", true, {}, {}});
  call.print(std::move(out));
  return Status::of(0);
}

Status printf(BuiltinCall& call) {
  std::size_t first = 1;
  std::string variable;
  if (call.count() > 2 && call.text(1) == "-v") {
    variable = call.text(2);
    first = 3;
  }
  if (first < call.count() && call.text(first) == "--") ++first;
  if (first >= call.count()) return Status::of(2);
  if (variable.empty() && is_dropped(call.world, 1)) return Status::of(0);
  Status status = Status::of(0);
  Value text = formatted(call, first, status);
  if (variable.empty()) {
    call.print(std::move(text));
    return status;
  }
  Session& session = call.interpreter.session();
  const auto bracket = variable.find('[');
  const NameId name = session.names.id(variable.substr(0, bracket));
  if (bracket == std::string::npos) {
    call.interpreter.variables().assign(call.world, name, std::move(text), call.span());
    return status;
  }
  Word index;
  index.span = call.span();
  index.parts.push_back(
      {Literal{variable.substr(bracket + 1, variable.size() - bracket - 2)}, call.span(), false});
  const Expander::Subscript at = call.interpreter.expander().subscript(call.world, name, index);
  if (at.failed) return Status::of(1);
  if (at.is_key) {
    call.interpreter.variables().assign_entry(call.world, name, at.key, std::move(text),
                                              call.span());
  } else {
    call.interpreter.variables().assign_element(call.world, name, at.index, std::move(text),
                                                call.span());
  }
  return status;
}

Status read(BuiltinCall& call) {
  const ReadOptions options = parse_options(call, "adinNptu");
  Session& session = call.interpreter.session();
  Io::Line line = read_logical_line(call, options);
  if (options.characters && line.text.is_known()) {
    line.text = line.text.slice(0, *options.characters);
  }
  const std::string cause(line.text.cause());
  const bool at_end = !line.complete && !line.unknown && line.text.empty();
  Status status =
      line.unknown && !cause.empty() ? Status::unknown(cause) : Status::of(line.complete ? 0 : 1);
  const bool names_given = options.first_name < call.count();
  if (!names_given && options.array.empty()) {
    call.interpreter.variables().assign(call.world, kReply, std::move(line.text), call.span());
    return status;
  }
  std::vector<Value> fields;
  const std::size_t most =
      options.array.empty() ? call.count() - options.first_name : std::string::npos;
  if (!line.text.is_known()) {
    // Where the fields end is not known, except that a single name takes all.
    fields.assign(options.array.empty() ? most : 1, most == 1 ? line.text : Value::unknown(cause));
  } else if (!at_end) {
    Line whole;
    if (options.raw) {
      whole.escaped.assign(line.text.size(), false);
      whole.value = std::move(line.text);
    } else {
      whole = unescape(line.text);
    }
    fields = split(whole, separators_of(call), most);
  }
  if (options.array.empty()) {
    assign_names(call, options.first_name, std::move(fields));
    return status;
  }
  const NameId name = session.names.id(options.array);
  call.interpreter.variables().assign_array(call.world, name, std::move(fields), call.span());
  if (!cause.empty()) {
    call.interpreter.variables().writable(call.world, name).uncertain_count = cause;
  }
  return status;
}

Status mapfile(BuiltinCall& call) {
  const ReadOptions options = parse_options(call, "dnOsuCc");
  const std::string array =
      options.first_name < call.count() ? call.text(options.first_name) : "MAPFILE";
  std::vector<Value> lines;
  std::string cause;
  for (std::size_t number = 0; number < kMostLines; ++number) {
    Io::Line line =
        call.interpreter.io().read_line(call.world, options.descriptor, options.delimiter);
    if (line.unknown && !line.text.is_known()) cause = std::string(line.text.cause());
    if (!line.complete && line.text.empty()) break;
    if (number < options.skip) continue;
    if (options.most != 0 && lines.size() == options.most) break;
    if (!options.trims && line.complete) {
      line.text.append(Piece{std::string(1, options.delimiter), true, {}, {}});
    }
    lines.push_back(std::move(line.text));
    if (!line.complete || !call.interpreter.session().charge(1)) break;
  }
  const NameId name = call.interpreter.session().names.id(array);
  if (!call.interpreter.variables().assign_array(call.world, name, std::move(lines), call.span())) {
    return Status::of(1);
  }
  if (!cause.empty()) {
    call.interpreter.variables().writable(call.world, name).uncertain_count = cause;
  }
  return Status::of(0);
}

}  // namespace recipelint::shell::builtins
