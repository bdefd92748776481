#include "analyzer/layout/environment.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace recipelint::layout {
namespace {

using Part = TextTemplate::Part;
using PartKind = TextTemplate::PartKind;
using shell::Value;

constexpr std::int64_t kMostIndices = 1024;
// A profile of a few lines could double a text with each of them.
constexpr std::size_t kLongestText = 1u << 16u;
constexpr std::size_t kMostPieces = 1024;

std::optional<std::int64_t> to_number(const Value* value) {
  if (value == nullptr || !value->is_known()) return std::nullopt;
  const std::string text = value->text();
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// A text that `export NAME=text` takes unchanged when it is pasted into a shell script.
bool is_plain_shell_text(std::string_view text) {
  return text.find_first_of(" \t\n\r'\"\\$`;&|<>(){}~") == std::string_view::npos;
}

bool matches(const Condition& condition, const Value* value) {
  const auto matches_any = [&](std::string_view text) {
    return std::any_of(condition.patterns.begin(), condition.patterns.end(),
                       [&](const std::string& pattern) { return matches_pattern(pattern, text); });
  };
  if (value == nullptr) return matches_any("");
  if (value->is_known()) return matches_any(value->text());
  return std::find(condition.patterns.begin(), condition.patterns.end(), "*") !=
         condition.patterns.end();
}

/// Gives templates their values; the derived interpreter knows more than variables.
class Expander {
 public:
  explicit Expander(const Variables& variables) : variables_(variables) {}
  virtual ~Expander() = default;

  Value expand(const TextTemplate& text_template) const {
    if (text_template.parts().size() == 1) return expand_part(text_template.parts().front());
    Value result;
    std::size_t size = 0;
    for (const Part& part : text_template.parts()) {
      Value value = expand_part(part);
      size += value.size();
      result.append(std::move(value));
      const bool too_long = size > kLongestText || result.pieces().size() > kMostPieces;
      if (too_long) return Value::unknown("text that grows beyond a bound");
    }
    return result;
  }
  bool holds(const Guard& guard) const {
    const auto one_holds = [&](const Condition& condition) {
      return matches(condition, find(condition.name));
    };
    return std::all_of(guard.when.begin(), guard.when.end(), one_holds) &&
           std::none_of(guard.unless.begin(), guard.unless.end(), one_holds);
  }

 protected:
  virtual const Value* find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
  }
  virtual Value literal(const std::string& text) const { return Value::of(text); }
  virtual Value outside(const Part&) const { return {}; }

 private:
  Value expand_part(const Part& part) const;
  Value cut(const Part& part, const Value& value) const;
  Value product(const Part& part) const;
  Value indices(const Part& part) const;

  const Variables& variables_;
};

Value Expander::expand_part(const Part& part) const {
  switch (part.kind) {
    case PartKind::kLiteral:
      return literal(part.text);
    case PartKind::kVariable: {
      const Value* value = find(part.text);
      return value != nullptr ? *value : Value();
    }
    case PartKind::kBeforeFirst:
    case PartKind::kAfterLast: {
      const Value* value = find(part.text);
      return value != nullptr ? cut(part, *value) : Value();
    }
    case PartKind::kDefault: {
      const Value* value = find(part.text);
      return value != nullptr && !value->empty() ? *value : expand(*part.fallback);
    }
    case PartKind::kProduct:
      return product(part);
    case PartKind::kIndices:
      return indices(part);
    case PartKind::kRowField:
    case PartKind::kRowJson:
    case PartKind::kRowWords:
    case PartKind::kRowJoined:
    case PartKind::kMode:
    case PartKind::kHost:
      return outside(part);
  }
  return {};
}

Value Expander::cut(const Part& part, const Value& value) const {
  if (!value.is_known()) return value;
  const std::string text = value.text();
  if (part.kind == PartKind::kBeforeFirst) {
    return Value::of(text.substr(0, text.find(part.separator)), value.origin());
  }
  const std::size_t last = text.rfind(part.separator);
  return Value::of(last == std::string::npos ? text : text.substr(last + 1), value.origin());
}

Value Expander::product(const Part& part) const {
  std::int64_t result = 1;
  text::Origin origin;
  for (const std::string& name : part.names) {
    const std::optional<std::int64_t> factor = to_number(find(name));
    if (!factor || __builtin_mul_overflow(result, *factor, &result)) {
      return Value::unknown("product of " + part.text);
    }
    if (!origin.known()) origin = find(name)->origin();
  }
  return Value::of(std::to_string(result), origin);
}

Value Expander::indices(const Part& part) const {
  const std::optional<std::int64_t> count = to_number(find(part.text));
  if (!count || *count > kMostIndices) return Value::unknown("numbers below " + part.text);
  std::string text;
  for (std::int64_t i = 0; i < *count; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(i);
  }
  return Value::of(text, find(part.text)->origin());
}

/// Which variables a plan is about.
enum class Extent { kAll, kDeciding };

/// Runs steps over the variables of one point.
class Interpreter final : public Expander {
 public:
  Interpreter(LaunchPlan& plan, const Profile& profile, Extent extent, const RowFields& fields,
              Mode mode, text::OriginPool& pool)
      : Expander(plan.environment),
        plan_(plan),
        profile_(profile),
        extent_(extent),
        fields_(fields),
        mode_(mode),
        pool_(pool) {}

  void set_runner(const Runner& runner);
  void run(const std::vector<Step>& steps, std::string_view author);

 private:
  const Value* find(std::string_view name) const override;
  Value literal(const std::string& text) const override { return Value::of(text, author_); }
  Value outside(const Part& part) const override;
  Value row_value(const std::optional<FieldText>& field, std::string_view name) const;

  bool counts(bool decides) const { return decides || extent_ == Extent::kAll; }
  void run_step(const Step& step);
  void assign(const std::vector<Assignment>& assignments, Variables& variables);
  void note_environment(Value& value, const std::string& name);
  void add_settings(const space::Field<space::Worker>& worker);
  void keep_only(const std::vector<std::string>& names);

  LaunchPlan& plan_;
  const Profile& profile_;
  Extent extent_;
  const RowFields& fields_;
  Mode mode_;
  text::OriginPool& pool_;
  Variables locals_;
  text::Origin author_;
};

void Interpreter::set_runner(const Runner& runner) {
  const text::Origin origin = pool_.add(runner.span, "machine of this runner label");
  locals_["LAUNCHER"] = Value::of(runner.launcher, origin);
  Value name = Value::of(runner.node.empty() ? runner.launcher + "_" : runner.node, origin);
  if (runner.node.empty()) name.append(Value::unknown("number of the runner", origin));
  plan_.environment["RUNNER_NAME"] = std::move(name);
}

void Interpreter::run(const std::vector<Step>& steps, std::string_view author) {
  author_ = pool_.add({}, author);
  for (const Step& step : steps) {
    if (plan_.rejected) return;
    if (counts(step.decides) && holds(step.guard)) run_step(step);
  }
}

const Value* Interpreter::find(std::string_view name) const {
  const auto local = locals_.find(name);
  return local != locals_.end() ? &local->second : Expander::find(name);
}

Value Interpreter::row_value(const std::optional<FieldText>& field, std::string_view name) const {
  if (!field) return {};
  return Value::of(field->text, pool_.add(field->span, std::string(name) + " of this row"));
}

Value Interpreter::outside(const Part& part) const {
  if (part.kind == PartKind::kRowField) return row_value(fields_.find(part.text), part.text);
  if (part.kind == PartKind::kRowJson) return row_value(fields_.json(part.text), part.text);
  if (part.kind == PartKind::kRowWords) return row_value(fields_.joined(part.text, " "), part.text);
  if (part.kind == PartKind::kRowJoined) {
    return row_value(fields_.joined(part.text, "x"), part.text);
  }
  if (part.kind == PartKind::kMode) {
    return Value::of(mode_ == Mode::kEval ? "true" : "false", author_);
  }
  return Value::unknown(part.text, author_);
}

void Interpreter::assign(const std::vector<Assignment>& assignments, Variables& variables) {
  for (const Assignment& assignment : assignments) {
    if (!counts(assignment.decides)) continue;
    Value value = expand(assignment.value);
    if (&variables == &plan_.environment) note_environment(value, assignment.name);
    variables[assignment.name] = std::move(value);
  }
}

/// Says under which name the script finds what comes from the row.
void Interpreter::note_environment(Value& value, const std::string& name) {
  if (extent_ != Extent::kAll) return;
  for (shell::Piece& piece : value.pieces()) {
    const text::OriginLink* source = piece.origin.nearest();
    if (source == nullptr || source->earlier != nullptr || !source->span.valid()) continue;
    piece.origin = pool_.add(source->span, name + " of its environment", piece.origin);
  }
}

void Interpreter::run_step(const Step& step) {
  assign(step.set, plan_.environment);
  assign(step.local, locals_);
  if (step.importer) plan_.importer = *step.importer;
  if (step.settings) {
    add_settings(fields_.row().row->prefill);
    add_settings(fields_.row().row->decode);
  }
  if (!step.keep.empty()) keep_only(step.keep);
  for (const Step& alternative : step.first) {
    if (!holds(alternative.guard)) continue;
    run_step(alternative);
    break;
  }
  if (step.reject) plan_.rejected = expand(*step.reject).text();
  const bool decided = !plan_.scripts.empty() || plan_.recipe != nullptr;
  if (plan_.rejected || decided) return;
  for (const TextTemplate& script : step.scripts) {
    plan_.scripts.push_back(expand(script).text());
  }
  plan_.recipe = step.recipe.get();
}

void Interpreter::add_settings(const space::Field<space::Worker>& worker) {
  if (!worker || !worker->additional_settings) return;
  for (const space::Setting& setting : *worker->additional_settings) {
    if (!setting.value || !counts(profile_.deciding.contains(setting.name))) continue;
    const text::Origin origin = pool_.add(setting.value_span, "additional setting of this row");
    const std::string name(setting.name);
    Value value = is_plain_shell_text(*setting.value)
                      ? Value::of(std::string(*setting.value), origin)
                      : Value::unknown("shell syntax in an additional setting", origin);
    note_environment(value, name);
    plan_.environment[name] = std::move(value);
  }
}

void Interpreter::keep_only(const std::vector<std::string>& names) {
  Variables kept;
  for (const std::string& name : names) {
    auto node = plan_.environment.extract(name);
    if (!node.empty()) kept.insert(std::move(node));
  }
  plan_.environment.swap(kept);
}

LaunchPlan plan(const Profile& profile, Extent extent, const Runner& runner,
                const RowFields& fields, Mode mode, text::OriginPool& pool) {
  LaunchPlan plan;
  Interpreter interpreter(plan, profile, extent, fields, mode, pool);
  interpreter.set_runner(runner);
  interpreter.run(fields.row().multi_node() ? profile.multi_node : profile.single_node,
                  "set by the workflow");
  const Launcher* launcher = profile.find_launcher(runner.launcher);
  if (launcher != nullptr) {
    interpreter.run(launcher->steps, "set by the launcher '" + runner.launcher + "'");
  }
  return plan;
}

}  // namespace

LaunchPlan plan_launch(const Profile& profile, const Runner& runner, const RowFields& fields,
                       Mode mode, text::OriginPool& pool) {
  return plan(profile, Extent::kAll, runner, fields, mode, pool);
}

LaunchPlan plan_target(const Profile& profile, const Runner& runner, const RowFields& fields,
                       Mode mode, text::OriginPool& pool) {
  return plan(profile, Extent::kDeciding, runner, fields, mode, pool);
}

bool holds(const Guard& guard, const Variables& variables) {
  return Expander(variables).holds(guard);
}

shell::Value expand(const TextTemplate& text_template, const Variables& variables) {
  return Expander(variables).expand(text_template);
}

}  // namespace recipelint::layout
