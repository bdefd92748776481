#include "rules/row_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/serving/vocabulary_check.h"
#include "rules/origin_flow.h"
#include "rules/recipe_uses.h"
#include "rules/server_load.h"

namespace recipelint::rules {

namespace {

using launch::Role;
using layout::Target;

/// What each worker block of a multi-node row says for itself.
bool is_of_worker(std::string_view field) {
  constexpr std::array<std::string_view, 6> kFields = {"tp",       "pp", "dcp-size",
                                                       "pcp-size", "ep", "dp-attn"};
  return std::ranges::find(kFields, field) != kFields.end();
}

bool has_blank(std::string_view text) {
  return text.find_first_of(" \t\n") != std::string_view::npos;
}

/// The option, or the command if the option is only a piece of a longer text that the shell has
/// split into words: nothing there shows which of them is meant.
text::Span place_in_launch(text::Span span, std::optional<std::size_t> word,
                           const serving::Server& server) {
  const text::Span option = place_of_word(span, word, server);
  if (!word || *word >= server.launch->argv.size() || !option.valid()) return option;
  std::string buffer;
  const bool split =
      has_blank(option.bytes()) && !has_blank(server.launch->argv[*word].view(buffer));
  return split && server.launch->span.valid() ? server.launch->span : option;
}

}  // namespace

RowLabel::RowLabel(const serving::CellServers& cell, const serving::Server& server)
    : cell_(*cell.cell), role_(role_of(cell, server)) {
  multi_node_ = cell_.row() != nullptr && cell_.row()->multi_node();
}

std::string RowLabel::name(std::string_view field) const {
  if (!multi_node_ || !is_of_worker(field)) return std::string(field);
  return fmt::format("{}.{}", role_ == Role::kDecode ? "decode" : "prefill", field);
}

std::optional<std::int64_t> RowLabel::number(std::string_view field) const {
  return cell_.number(name(field));
}

std::optional<bool> RowLabel::truth(std::string_view field) const {
  const auto found = cell_.field(name(field));
  if (!found || (found->text != "true" && found->text != "false")) return std::nullopt;
  return found->text == "true";
}

text::Span RowLabel::place(std::string_view field) const {
  if (cell_.row() == nullptr) return {};
  if (const auto found = cell_.field(name(field)); found && found->span.valid()) return found->span;
  const auto size = cell_.field(name("tp"));
  if (is_of_worker(field) && size && size->span.valid()) return size->span;
  return cell_.row()->row->span();
}

bool RowLabel::describes_recipe() const {
  return cell_.row() != nullptr && cell_.target().kind == Target::Kind::kRecipe;
}

std::string RowLabel::says() const {
  return cell_.row() != nullptr ? "The row says" : "The command line says";
}

std::string RowLabel::whose() const {
  if (!multi_node_) return {};
  const std::string_view role = role_ == Role::kAggregate ? "prefill" : to_string(role_);
  return fmt::format(" for a {} worker", role);
}

std::string RowLabel::correction(std::string_view field, std::string_view value) const {
  if (cell_.row() == nullptr) return fmt::format("Say '{}={}' on the command line.", field, value);
  return fmt::format("Write '{}: {}' in the row.", field, value);
}

std::string engine_title(const serving::ServerConfig& config) {
  if (config.version.known()) return engine_phrase(config);
  return std::string(serving::title_of_engine(to_string(config.engine)));
}

bool label_is_about_one_server(const serving::CellServers& cell) {
  const bool multi_node = cell.cell->row() != nullptr && cell.cell->row()->multi_node();
  return multi_node || cell.servers.size() == 1;
}

void place_finding(findings::Finding& finding, const RowLabel& label, std::string_view field,
                   text::Span span, std::optional<std::size_t> word,
                   const serving::Server& server) {
  const text::Span in_row = label.place(field);
  const text::Span in_launch = place_in_launch(span, word, server);
  const bool at_row = label.describes_recipe() && in_row.valid();
  finding.primary = at_row ? in_row : in_launch;
  if (at_row && in_launch.valid()) finding.related.push_back({in_launch, "what the recipe starts"});
  if (!at_row && in_row.valid()) finding.related.push_back({in_row, "what the row says"});
  if (word && *word < server.launch->argv.size()) {
    finding.flow = flow_of(server.launch->argv[*word].origin(), in_launch);
  }
}

}  // namespace recipelint::rules
