#include "analyzer/app/recipe_rows.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

using launch::Role;
using launch::recipe::RoleBlock;
using launch::recipe::SrtRecipe;
using layout::RecipeCell;
using layout::RecipeRun;
using Json = nlohmann::ordered_json;

std::string_view text_of(const RecipeRun& run, std::string_view field) {
  const auto found = run.fields.find(field);
  return found == run.fields.end() ? std::string_view() : found->second.text;
}

std::int64_t line_of(const RecipeRun& run) {
  return run.variant->file().position(run.variant->root.span().begin).line;
}

// --- JSON ---

Json worker_json(const RoleBlock* block) {
  Json worker = {{"num-worker", block == nullptr ? 0 : block->workers.value}};
  if (block == nullptr) return worker;
  if (block->nodes) worker["nodes"] = block->nodes->value;
  worker["gpus"] = block->gpus_per_worker.value;
  return worker;
}

void add_texts(Json& object, const RecipeRun& run, std::initializer_list<const char*> fields) {
  for (const char* name : fields) {
    const std::string_view text = text_of(run, name);
    if (!text.empty()) object[name] = text::to_valid_utf8(text);
  }
}

Json row_json(const RecipeRow& row) {
  const RecipeRun& run = *row.front().run;
  const SrtRecipe& recipe = *run.variant;
  Json object = Json::object();
  add_texts(object, run, {"image", "model", "precision", "framework", "runner"});
  if (recipe.isl) object["isl"] = recipe.isl->value;
  if (recipe.osl) object["osl"] = recipe.osl->value;
  const RoleBlock* decode = recipe.find_role(Role::kDecode);
  object["prefill"] =
      worker_json(recipe.find_role(decode != nullptr ? Role::kPrefill : Role::kAggregate));
  object["decode"] = worker_json(decode);
  object["conc"] = Json::array();
  for (const RecipeCell& cell : row) {
    if (cell.concurrency) object["conc"].push_back(cell.concurrency->value);
  }
  object["disagg"] = decode != nullptr;
  object["key"] = text::to_valid_utf8(run.key);
  object["file"] = text::to_valid_utf8(recipe.file().path());
  object["line"] = line_of(run);
  return object;
}

// --- Text ---

/// Control characters of a hostile file must not reach a terminal.
std::string printable(std::string_view text) {
  std::string clean = text::to_valid_utf8(text);
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = '?';
  }
  return clean;
}

/// Writes words with a blank between them, on a new line where they would not fit.
class Line {
 public:
  Line(std::ostream& out, std::size_t indent) : out_(out), indent_(indent) {}

  void add(const std::string& word) {
    constexpr std::size_t kWidth = 100;
    const bool fits = column_ + 1 + word.size() <= kWidth;
    if (column_ > 0 && fits) {
      out_ << ' ' << word;
      column_ += 1 + word.size();
      return;
    }
    const std::size_t indent = column_ > 0 ? indent_ + 2 : indent_;
    if (column_ > 0) out_ << '\n';
    out_ << std::string(indent, ' ') << word;
    column_ = indent + word.size();
  }
  void end() { out_ << '\n'; }

 private:
  std::ostream& out_;
  std::size_t indent_;
  std::size_t column_ = 0;
};

std::string workers_in_words(const RecipeRun& run) {
  std::string line;
  for (const RoleBlock& block : run.variant->roles) {
    line += fmt::format("{}{} {} of {} GPU{}", line.empty() ? "" : ", ", block.workers.value,
                        launch::to_string(block.role), block.gpus_per_worker.value,
                        block.gpus_per_worker.value == 1 ? "" : "s");
  }
  return line;
}

void write_description(const RecipeRun& run, std::ostream& out) {
  Line line(out, 2);
  for (const char* field : {"framework", "precision", "runner", "model", "image"}) {
    const std::string_view text = text_of(run, field);
    if (!text.empty()) line.add(printable(text));
  }
  line.end();
}

void write_points(const RecipeRow& row, std::ostream& out) {
  const SrtRecipe& recipe = *row.front().run->variant;
  Line line(out, 4);
  if (recipe.isl && recipe.osl) {
    line.add(fmt::format("{}/{} ", recipe.isl->value, recipe.osl->value));
  }
  line.add(workers_in_words(*row.front().run) + "  conc");
  for (const RecipeCell& cell : row) {
    line.add(cell.concurrency ? std::to_string(cell.concurrency->value) : "?");
  }
  line.end();
}

}  // namespace

void write_recipe_rows_json(const std::vector<RecipeRow>& rows, std::ostream& out) {
  for (const RecipeRow& row : rows) out << row_json(row).dump() << '\n';
}

void write_recipe_rows_text(const std::vector<RecipeRow>& rows, std::ostream& out) {
  std::size_t points = 0;
  for (const RecipeRow& row : rows) {
    const RecipeRun& run = *row.front().run;
    out << printable(run.key) << '\n';
    write_description(run, out);
    write_points(row, out);
    points += row.size();
  }
  out << fmt::format("{} recipe{}, {} point{}\n", rows.size(), rows.size() == 1 ? "" : "s", points,
                     points == 1 ? "" : "s");
}

}  // namespace recipelint::app
