#include "analyzer/launch/recipe/srt_slurm.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace recipelint::launch::recipe {
namespace {

constexpr std::string_view kOverride = "override_";
constexpr std::string_view kZipOverride = "zip_override_";
constexpr std::int64_t kDefaultGpusPerNode = 4;  // srtctl's ResourceConfig
// Of one zip_override block; real ones have fewer than ten.
constexpr std::size_t kMostVariants = 64;

bool starts_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

std::string quote(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// fnmatch with * and ?.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (at < text.size()) {
    const bool more = in_pattern < pattern.size();
    if (more && pattern[in_pattern] == '*') {
      star = in_pattern++;
      retry = at;
    } else if (more && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

/// Splits a recipe file into variants.
class VariantReader {
 public:
  VariantReader(MergedNode root, std::vector<RecipeProblem>& problems)
      : root_(std::move(root)), problems_(problems) {}

  struct Variant {
    std::string name;
    MergedNode root;
  };
  std::vector<Variant> select(std::string_view selector);

 private:
  void add_override(const MergedNode::Entry& entry);
  void add_zip(const MergedNode::Entry& entry, std::optional<std::size_t> index);
  void add_matching(std::string_view pattern);
  const MergedNode::Entry* find(std::string_view key) const;
  void unknown_selector(std::string_view selector);

  MergedNode root_;
  std::vector<RecipeProblem>& problems_;
  std::vector<Variant> variants_;
};

bool is_override(std::string_view key) {
  return starts_with(key, kOverride) || starts_with(key, kZipOverride);
}

/// "zip_override_x[2]" -> 2, with the key left in `selector`; nullopt without an index.
std::optional<std::size_t> take_index(std::string_view& selector) {
  const std::size_t bracket = selector.find('[');
  if (bracket == std::string_view::npos || selector.back() != ']') return std::nullopt;
  const std::string_view digits = selector.substr(bracket + 1, selector.size() - bracket - 2);
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  selector = selector.substr(0, bracket);
  return index;
}

std::vector<VariantReader::Variant> VariantReader::select(std::string_view selector) {
  if (!root_.find("base").is_mapping()) {
    // srtctl ignores the selector of a file that has no base.
    return {{"", root_}};
  }
  if (selector.empty()) {
    add_matching("*");
    return std::move(variants_);
  }
  if (selector == "base") return {{"base", root_.find("base")}};
  if (selector.find_first_of("*?") != std::string_view::npos) {
    add_matching(selector);
    if (variants_.empty()) unknown_selector(selector);
    return std::move(variants_);
  }
  std::string_view key = selector;
  const std::optional<std::size_t> index = take_index(key);
  const MergedNode::Entry* entry = is_override(key) ? find(key) : nullptr;
  if (entry == nullptr) {
    unknown_selector(selector);
  } else if (starts_with(key, kZipOverride)) {
    add_zip(*entry, index);
  } else {
    add_override(*entry);
  }
  return std::move(variants_);
}

const MergedNode::Entry* VariantReader::find(std::string_view key) const {
  const auto& entries = root_.entries();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const MergedNode::Entry& e) { return e.key.text() == key; });
  return found == entries.end() ? nullptr : &*found;
}

void VariantReader::unknown_selector(std::string_view selector) {
  std::string available;
  for (const MergedNode::Entry& entry : root_.entries()) {
    if (!is_override(entry.key.text())) continue;
    available += (available.empty() ? "" : ", ") + quote(entry.key.text());
  }
  problems_.push_back({"The recipe has no variant " + quote(selector) + "; it has " +
                           (available.empty() ? std::string("none") : available) + ".",
                       root_.find("base").span(), true});
}

void VariantReader::add_override(const MergedNode::Entry& entry) {
  if (!entry.value.is_mapping()) {
    problems_.push_back({quote(entry.key.text()) + " must be a mapping.", entry.key.span(), false});
    return;
  }
  variants_.push_back(
      {std::string(entry.key.text()), MergedNode::merged(root_.find("base"), entry.value)});
}

void VariantReader::add_zip(const MergedNode::Entry& entry, std::optional<std::size_t> index) {
  const text::Result<std::size_t> length = MergedNode::zip_length(entry.value);
  if (!length) {
    const text::Span where = length.error().where.valid() ? length.error().where : entry.key.span();
    problems_.push_back({length.error().message, where, false});
    return;
  }
  if (index && *index >= *length) {
    problems_.push_back({"Index " + std::to_string(*index) +
                             " is out of range: " + quote(entry.key.text()) + " has " +
                             std::to_string(*length) + " variants, counted from 0.",
                         entry.key.span(), true});
    return;
  }
  if (*length > kMostVariants) {
    problems_.push_back({"Only the first " + std::to_string(kMostVariants) + " of the " +
                             std::to_string(*length) + " variants are looked at.",
                         entry.key.span(), false});
  }
  const std::size_t first = index.value_or(0);
  const std::size_t last = index ? first + 1 : std::min(*length, kMostVariants);
  for (std::size_t i = first; i < last; ++i) {
    variants_.push_back(
        {std::string(entry.key.text()) + "[" + std::to_string(i) + "]",
         MergedNode::merged(root_.find("base"), MergedNode::zip_slice(entry.value, i))});
  }
}

void VariantReader::add_matching(std::string_view pattern) {
  std::vector<const MergedNode::Entry*> found;
  for (const MergedNode::Entry& entry : root_.entries()) {
    const std::string_view key = entry.key.text();
    if (is_override(key) && matches(pattern, key)) found.push_back(&entry);
  }
  std::sort(found.begin(), found.end(), [](const MergedNode::Entry* a, const MergedNode::Entry* b) {
    return a->key.text() < b->key.text();
  });
  for (const MergedNode::Entry* entry : found) {
    if (starts_with(entry->key.text(), kZipOverride)) {
      add_zip(*entry, std::nullopt);
    } else {
      add_override(*entry);
    }
  }
}

/// Takes the parts of one variant that rules and commands need.
class ConfigurationReader {
 public:
  explicit ConfigurationReader(SrtRecipe& recipe) : recipe_(recipe) {}
  void read();

 private:
  std::optional<Count> count(const MergedNode& parent, std::string_view key);
  bool packs_roles_together(const MergedNode& backend) const;
  std::string text(const MergedNode& node) const;
  std::optional<PlacedText> placed(const MergedNode& node) const;
  void expect_mapping(std::string_view key);
  void read_engine(const MergedNode& backend);
  void read_roles(const MergedNode& backend);
  void add_role(Role role, const MergedNode& backend);
  void read_benchmark(const MergedNode& benchmark);
  void read_concurrencies(const MergedNode& node);
  void problem(std::string message, text::Span span) {
    recipe_.problems.push_back({std::move(message), span, false});
  }

  SrtRecipe& recipe_;
};

struct RoleNames {
  Role role;
  std::string_view config;       // below *_config
  std::string_view environment;  // below backend
  std::string_view resources;    // prefix in resources
};
constexpr std::array kRoleNames = {
    RoleNames{Role::kPrefill, "prefill", "prefill_environment", "prefill"},
    RoleNames{Role::kDecode, "decode", "decode_environment", "decode"},
    RoleNames{Role::kAggregate, "aggregated", "aggregated_environment", "agg"},
};

std::string_view config_block(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "vllm_config";
    case Engine::kSglang:
      return "sglang_config";
    case Engine::kTensorRtLlm:
      return "trtllm_config";
    case Engine::kAtom:
    case Engine::kOther:
      return "";
  }
  return "";
}

void ConfigurationReader::read() {
  for (const std::string_view key : {"model", "resources", "backend", "benchmark"}) {
    expect_mapping(key);
  }
  const MergedNode& root = recipe_.root;
  recipe_.model_path = placed(root.find("model").find("path"));
  recipe_.container = placed(root.find("model").find("container"));
  recipe_.identity_image = placed(root.find("identity").find("container").find("image"));
  recipe_.frontend = text(root.find("frontend").find("type"));
  if (recipe_.frontend.empty()) recipe_.frontend = "dynamo";
  const MergedNode& resources = root.find("resources");
  recipe_.gpu_type = text(resources.find("gpu_type"));
  recipe_.spread_workers = resources.find("spread_workers").node().as_bool().value_or(false);
  recipe_.gpus_per_node =
      count(resources, "gpus_per_node").value_or(Count{kDefaultGpusPerNode, {}});
  read_engine(root.find("backend"));
  read_roles(root.find("backend"));
  recipe_.packs_roles_together = packs_roles_together(root.find("backend"));
  read_benchmark(root.find("benchmark"));
}

/// On one node if all workers fit there, and over several only if that
/// is allowed as well (srt-slurm, VLLMProtocol in src/srtctl/backends/vllm.py).
bool ConfigurationReader::packs_roles_together(const MergedNode& backend) const {
  const auto allows = [&](std::string_view key) {
    return backend.find(key).node().as_bool().value_or(false);
  };
  if (recipe_.engine != Engine::kVllm || !allows("allow_prefill_decode_colocation")) return false;
  if (allows("allow_prefill_decode_colocation_across_nodes")) return true;
  double gpus = 0;
  for (const RoleBlock& role : recipe_.roles) {
    gpus +=
        static_cast<double>(role.workers.value) * static_cast<double>(role.gpus_per_worker.value);
  }
  return gpus <= static_cast<double>(recipe_.gpus_per_node.value);
}

std::string ConfigurationReader::text(const MergedNode& node) const {
  return node.is_scalar() && !node.node().is_null() ? std::string(node.node().text()) : "";
}

std::optional<PlacedText> ConfigurationReader::placed(const MergedNode& node) const {
  if (!node.is_scalar() || node.node().is_null()) return std::nullopt;
  text::Span span = node.span();
  const yaml::Style style = node.node().style();
  const bool quoted = style == yaml::Style::kSingleQuoted || style == yaml::Style::kDoubleQuoted;
  if (quoted && span.length() >= 2) {
    ++span.begin;
    --span.end;
  }
  return PlacedText{std::string(node.node().text()), span};
}

void ConfigurationReader::expect_mapping(std::string_view key) {
  const MergedNode& node = recipe_.root.find(key);
  if (node.is_mapping()) return;
  const text::Span span = node ? node.span() : recipe_.root.span();
  problem(quote(key) + (node ? " must be a mapping." : " is missing."), span);
}

std::optional<Count> ConfigurationReader::count(const MergedNode& parent, std::string_view key) {
  const MergedNode& node = parent.find(key);
  if (!node || node.node().is_null()) return std::nullopt;
  std::optional<std::int64_t> value = node.node().as_int();
  if (!value && node.is_scalar()) {
    // srtctl's schema takes "8" for 8.
    const std::string_view digits = node.node().text();
    std::int64_t parsed = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
    if (error == std::errc() && stop == digits.data() + digits.size()) value = parsed;
  }
  if (!value || *value < 0) {
    problem(quote(key) + " must be a whole number of at least 0.", node.span());
    return std::nullopt;
  }
  return Count{*value, node.span()};
}

void ConfigurationReader::read_engine(const MergedNode& backend) {
  const MergedNode& type = backend.find("type");
  const std::string name = text(type);
  if (name == "vllm") {
    recipe_.engine = Engine::kVllm;
  } else if (name == "sglang" || name.empty()) {
    recipe_.engine = Engine::kSglang;
  } else if (name == "trtllm") {
    recipe_.engine = Engine::kTensorRtLlm;
  } else if (backend.is_mapping()) {
    problem("The backend type " + quote(name) + " is none of 'vllm', 'sglang', 'trtllm'.",
            type.span());
  }
}

void ConfigurationReader::read_roles(const MergedNode& backend) {
  const MergedNode& resources = recipe_.root.find("resources");
  const bool disaggregated = resources.find("prefill_nodes") || resources.find("decode_nodes");
  if (disaggregated) {
    add_role(Role::kPrefill, backend);
    add_role(Role::kDecode, backend);
  } else {
    add_role(Role::kAggregate, backend);
  }
}

void ConfigurationReader::add_role(Role role, const MergedNode& backend) {
  const auto names = std::find_if(kRoleNames.begin(), kRoleNames.end(),
                                  [&](const RoleNames& entry) { return entry.role == role; });
  const std::string prefix(names->resources);
  const MergedNode& resources = recipe_.root.find("resources");
  RoleBlock block;
  block.role = role;
  block.config = backend.find(config_block(recipe_.engine)).find(names->config);
  block.environment = backend.find(names->environment);
  block.nodes = count(resources, prefix + "_nodes");
  block.workers = count(resources, prefix + "_workers").value_or(Count{});
  const std::optional<Count> gpus = count(resources, "gpus_per_" + prefix);
  block.gpus_written = gpus.has_value();
  if (gpus) {
    block.gpus_per_worker = *gpus;
  } else if (block.nodes && block.nodes->value > 0 && block.workers.value > 0) {
    block.gpus_per_worker = {block.nodes->value * recipe_.gpus_per_node.value / block.workers.value,
                             {}};
  } else if (role == Role::kDecode && block.nodes && block.workers.value > 0 &&
             !recipe_.roles.empty()) {
    // No nodes of its own: decode shares those of prefill.
    block.gpus_per_worker = {recipe_.roles.front().gpus_per_worker.value, {}};
  } else {
    block.gpus_per_worker = {recipe_.gpus_per_node.value, {}};
  }
  for (const MergedNode* part : {&block.config, &block.environment}) {
    if (*part && !part->is_mapping() && !part->node().is_null()) {
      problem("The " + std::string(to_string(role)) + " block must be a mapping.", part->span());
    }
  }
  recipe_.roles.push_back(std::move(block));
}

void ConfigurationReader::read_benchmark(const MergedNode& benchmark) {
  recipe_.benchmark_type = text(benchmark.find("type"));
  recipe_.isl = count(benchmark, "isl");
  recipe_.osl = count(benchmark, "osl");
  read_concurrencies(benchmark.find("concurrencies"));
}

void ConfigurationReader::read_concurrencies(const MergedNode& node) {
  if (!node || node.node().is_null()) return;
  recipe_.concurrencies_span = node.span();
  const auto add = [&](std::string_view digits, text::Span span) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || stop != digits.data() + digits.size() || value <= 0) {
      return problem(quote(digits) + " is not a concurrency: a whole number above 0.", span);
    }
    recipe_.concurrencies.push_back({value, span});
  };
  if (node.is_sequence()) {
    for (const MergedNode& item : node.items()) add(item.node().text(), item.span());
    return;
  }
  std::string_view rest = node.node().text();
  while (true) {
    const std::size_t cross = rest.find('x');
    add(rest.substr(0, cross), node.span());
    if (cross == std::string_view::npos) return;
    rest.remove_prefix(cross + 1);
  }
}

}  // namespace

std::optional<Count> RoleBlock::number(std::initializer_list<std::string_view> names) const {
  const auto same = [](std::string_view key, std::string_view name) {
    return std::equal(key.begin(), key.end(), name.begin(), name.end(), [](char a, char b) {
      return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_'));
    });
  };
  for (const std::string_view name : names) {
    for (const MergedNode::Entry& entry : config.entries()) {
      if (!same(entry.key.text(), name)) continue;
      const std::optional<std::int64_t> value = entry.value.node().as_int();
      return value ? std::optional(Count{*value, entry.value.span()}) : std::nullopt;
    }
  }
  return std::nullopt;
}

const RoleBlock* SrtRecipe::find_role(Role role) const {
  const auto found = std::find_if(roles.begin(), roles.end(),
                                  [&](const RoleBlock& block) { return block.role == role; });
  return found == roles.end() ? nullptr : &*found;
}

std::vector<SrtRecipe> read_srt_recipe(std::shared_ptr<const yaml::Document> document,
                                       std::string_view selector,
                                       std::vector<RecipeProblem>& problems) {
  std::vector<SrtRecipe> recipes;
  if (!document->root().is_mapping()) {
    problems.push_back({"A recipe must be a mapping.", document->root().span(), false});
    return recipes;
  }
  text::Result<MergedNode> root = MergedNode::of(document->root());
  if (!root) {
    problems.push_back({root.error().message, root.error().where, false});
    return recipes;
  }
  VariantReader reader(std::move(root).value(), problems);
  for (VariantReader::Variant& variant : reader.select(selector)) {
    SrtRecipe& recipe = recipes.emplace_back();
    recipe.document = document;
    recipe.variant = std::move(variant.name);
    recipe.root = std::move(variant.root);
    ConfigurationReader(recipe).read();
  }
  return recipes;
}

}  // namespace recipelint::launch::recipe
