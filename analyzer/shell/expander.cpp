#include "analyzer/shell/expander.h"

#include <algorithm>
#include <utility>

namespace recipelint::shell {
namespace {

constexpr std::uint64_t kStepsPerWord = 8;

constexpr std::string_view kDefaultSeparators = " \t\n";

bool branches(const std::unique_ptr<Word>& word) {
  return word != nullptr && may_branch(*word);
}

bool has_brace(const Word& word) {
  for (const WordPart& part : word.parts) {
    if (part.quoted) continue;
    const auto* literal = std::get_if<Literal>(&part.content);
    if (literal != nullptr && literal->text.find('{') != std::string::npos) return true;
  }
  return false;
}

/// The literal that a word consists of, if it is one that stands for itself, as most words are.
const Literal* only_literal(const Word& word, PatternOptions options) {
  if (word.parts.size() != 1) return nullptr;
  const WordPart& part = word.parts.front();
  const auto* literal = std::get_if<Literal>(&part.content);
  if (literal == nullptr || part.quoted) return literal;
  const bool is_plain = !literal->text.empty() && !literal->text.starts_with('~') &&
                        literal->text.find('{') == std::string::npos &&
                        !has_pattern_characters(literal->text, options);
  return is_plain ? literal : nullptr;
}

}  // namespace

bool may_branch(const Word& word) {
  for (const WordPart& part : word.parts) {
    if (std::holds_alternative<Literal>(part.content)) continue;
    if (const auto* parameter = std::get_if<ParameterExpansion>(&part.content)) {
      if (branches(parameter->index) || branches(parameter->operand) ||
          branches(parameter->second_operand)) {
        return true;
      }
    } else if (const auto* arithmetic = std::get_if<ArithmeticExpansion>(&part.content)) {
      if (branches(arithmetic->expression)) return true;
    } else {
      return true;
    }
  }
  return false;
}

PatternOptions Expander::pattern_options(const World& world) const {
  return {world.shell.options.extglob, world.shell.options.nocasematch};
}

std::string Expander::separators(const World& world) const {
  const Shared<Variable>& ifs = world.shell.variables.find(kIfs);
  if (!ifs || !ifs->is_set) return std::string(kDefaultSeparators);
  return ifs->scalar.text();
}

Value Expander::home(World& world) {
  return variables_.scalar(world, kHome).value_or(Value::unknown("home directory"));
}

std::string_view Expander::expand_tilde(World& world, std::string_view text, text::Origin origin,
                                        ExpansionSink& sink) {
  const auto slash = std::min(text.find('/'), text.size());
  const std::string_view prefix = text.substr(0, slash);
  if (prefix == "~") {
    sink.quoted(home(world));
  } else if (prefix == "~+") {
    sink.quoted(Value::of(*world.shell.directory, origin));
  } else if (prefix == "~-" && world.shell.previous_directory) {
    sink.quoted(Value::of(*world.shell.previous_directory, origin));
  } else {
    return text;
  }
  return text.substr(slash);
}

void Expander::part(World& world, const WordPart& part, bool force_quoted, ExpansionSink& sink) {
  const bool is_quoted = part.quoted || force_quoted;
  if (const auto* literal = std::get_if<Literal>(&part.content)) {
    const text::Origin origin = session_.origin(part.span);
    if (is_quoted) {
      sink.quoted(Value::of(literal->text, origin));
    } else {
      sink.literal(literal->text, origin);
    }
    return;
  }
  if (const auto* expansion = std::get_if<ParameterExpansion>(&part.content)) {
    parameter(world, *expansion, part.span, is_quoted, sink);
    return;
  }
  Value value;
  if (const auto* command = std::get_if<CommandSubstitution>(&part.content)) {
    value = runner_.substitute(world, *command, part.span);
  } else if (const auto* process = std::get_if<ProcessSubstitution>(&part.content)) {
    sink.quoted(runner_.substitute_process(world, *process, part.span));
    return;
  } else {
    const auto& arithmetic = std::get<ArithmeticExpansion>(part.content);
    const Value expression = text(world, *arithmetic.expression);
    if (!world.is_running()) return;
    std::optional<Value> result = variables_.arithmetic_value(world, expression, part.span);
    if (!result) {
      world.flow = Flow::kAbort;
      world.status = Status::of(1);
      return;
    }
    value = *std::move(result);
  }
  if (is_quoted) {
    sink.quoted(std::move(value));
  } else {
    sink.unquoted(std::move(value));
  }
}

void Expander::parts(World& world, const Word& word, bool force_quoted, ExpansionSink& sink) {
  for (const WordPart& item : word.parts) {
    if (!world.is_running()) return;
    part(world, item, force_quoted, sink);
  }
}

void Expander::operand_parts(World& world, const Word& word, bool force_quoted,
                             ExpansionSink& sink) {
  for (const WordPart& item : word.parts) {
    if (!world.is_running()) return;
    const auto* literal = std::get_if<Literal>(&item.content);
    if (literal != nullptr && !item.quoted && !force_quoted && sink.splits()) {
      sink.unquoted(Value::of(literal->text, session_.origin(item.span)));
    } else {
      part(world, item, force_quoted, sink);
    }
  }
}

// The words that braces make of one; just one, as it is, if there would be too many.
std::vector<std::vector<BracePiece>> Expander::brace_words(const Word& word) {
  std::vector<BracePiece> pieces;
  pieces.reserve(word.parts.size());
  for (std::size_t i = 0; i < word.parts.size(); ++i) {
    const auto* literal = std::get_if<Literal>(&word.parts[i].content);
    const bool opaque = literal == nullptr || word.parts[i].quoted;
    pieces.push_back({opaque ? std::string() : literal->text, opaque, i});
  }
  auto words = expand_braces(pieces);
  if (!words) {
    session_.limit(word.span, words.error().message);
    return {pieces};
  }
  session_.charge(words->size());
  return std::move(*words);
}

void Expander::braced_parts(World& world, const Word& word, const std::vector<BracePiece>& expanded,
                            ExpansionSink& sink) {
  bool first = true;
  for (const BracePiece& piece : expanded) {
    if (!world.is_running()) return;
    const WordPart& source = word.parts[piece.part];
    if (piece.opaque) {
      part(world, source, false, sink);
    } else {
      const text::Origin origin = session_.origin(source.span);
      std::string_view text = piece.text;
      if (first && text.starts_with('~')) text = expand_tilde(world, text, origin, sink);
      sink.literal(text, origin);
    }
    first = false;
  }
}

void Expander::braced_fields(World& world, const Word& word, FieldSink& sink) {
  for (const std::vector<BracePiece>& expanded : brace_words(word)) {
    braced_parts(world, word, expanded, sink);
    if (!world.is_running()) return;
    sink.finish();
  }
}

std::vector<Value> Expander::declared_texts(World& world, const Word& word) {
  if (!world.shell.options.braceexpand || !has_brace(word)) return {assigned_text(world, word)};
  std::vector<Value> out;
  const std::string ifs = separators(world);
  for (const std::vector<BracePiece>& expanded : brace_words(word)) {
    TextSink sink(ifs);
    braced_parts(world, word, expanded, sink);
    if (!world.is_running()) return out;
    out.push_back(sink.take());
  }
  return out;
}

void Expander::fields(World& world, const Word& word, std::vector<Field>& out) {
  session_.charge(1);
  if (!world.is_running()) return;
  if (const Literal* literal = only_literal(word, pattern_options(world))) {
    if (!session_.charge(kStepsPerWord)) return;
    const text::Origin origin = session_.origin(word.parts.front().span);
    out.push_back({Value::of(literal->text, origin), word.span, {}});
    session_.charge_bytes(literal->text.size());
    return;
  }
  const std::string ifs = separators(world);
  FieldSink sink(ifs, pattern_options(world), word.span);
  if (world.shell.options.braceexpand && has_brace(word)) {
    braced_fields(world, word, sink);
  } else {
    std::size_t first = 0;
    if (!word.parts.empty() && !word.parts.front().quoted) {
      const auto* literal = std::get_if<Literal>(&word.parts.front().content);
      if (literal != nullptr && literal->text.starts_with('~')) {
        const text::Origin origin = session_.origin(word.parts.front().span);
        sink.literal(expand_tilde(world, literal->text, origin, sink), origin);
        first = 1;
      }
    }
    for (std::size_t i = first; i < word.parts.size() && world.is_running(); ++i) {
      part(world, word.parts[i], false, sink);
    }
    sink.finish();
  }
  if (!world.is_running()) return;
  // A word costs more than its bytes: lists that grow by copying themselves must end early.
  if (!session_.charge(kStepsPerWord * sink.fields().size())) return;
  for (FieldSink::Pending& pending : sink.fields()) {
    if (!pending.pattern.empty() && !world.shell.options.noglob && pending.field.value.is_known()) {
      find_files(world, pending, out);
    } else {
      out.push_back(std::move(pending.field));
    }
    session_.charge_bytes(out.empty() ? 0 : out.back().value.size());
  }
}

Value Expander::text(World& world, const Word& word) {
  session_.charge(1);
  const std::string ifs = separators(world);
  TextSink sink(ifs);
  std::size_t first = 0;
  if (!word.parts.empty() && !word.parts.front().quoted) {
    const auto* literal = std::get_if<Literal>(&word.parts.front().content);
    if (literal != nullptr && literal->text.starts_with('~')) {
      const text::Origin origin = session_.origin(word.parts.front().span);
      sink.literal(expand_tilde(world, literal->text, origin, sink), origin);
      first = 1;
    }
  }
  for (std::size_t i = first; i < word.parts.size() && world.is_running(); ++i) {
    part(world, word.parts[i], false, sink);
  }
  Value value = sink.take();
  session_.charge_bytes(value.size());
  return value;
}

Value Expander::assigned_text(World& world, const Word& word) {
  bool has_tilde = false;
  for (const WordPart& item : word.parts) {
    const auto* literal = std::get_if<Literal>(&item.content);
    has_tilde = has_tilde || (literal != nullptr && !item.quoted &&
                              literal->text.find(":~") != std::string::npos);
  }
  if (!has_tilde) return text(world, word);
  session_.charge(1);
  const std::string ifs = separators(world);
  TextSink sink(ifs);
  bool starts = true;
  for (const WordPart& item : word.parts) {
    const auto* literal = std::get_if<Literal>(&item.content);
    if (literal == nullptr || item.quoted) {
      part(world, item, false, sink);
      starts = false;
      continue;
    }
    const text::Origin origin = session_.origin(item.span);
    std::string_view rest = literal->text;
    while (!rest.empty()) {
      const auto colon = rest.find(':');
      std::string_view segment = rest.substr(0, colon);
      if (starts && segment.starts_with('~')) segment = expand_tilde(world, segment, origin, sink);
      sink.literal(segment, origin);
      starts = colon != std::string_view::npos;
      if (!starts) break;
      sink.literal(":", origin);
      rest.remove_prefix(colon + 1);
    }
  }
  return sink.take();
}

PatternText Expander::pattern(World& world, const Word& word) {
  session_.charge(1);
  PatternSink sink;
  parts(world, word, false, sink);
  return sink.take();
}

void Expander::find_files(World& world, FieldSink::Pending& pending, std::vector<Field>& out) {
  const std::string& pattern = pending.pattern;
  std::string buffer;
  const std::string literal(pending.field.value.view(buffer));
  std::vector<std::string> found = {literal.starts_with('/') ? "/" : ""};
  std::string_view rest = pattern;
  while (rest.starts_with('/') || rest.starts_with("\\/"))
    rest.remove_prefix(rest[0] == '/' ? 1 : 2);
  while (!rest.empty()) {
    // A slash ends a component whether it was quoted or not.
    auto slash = rest.find('/');
    std::string_view component = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (component.ends_with('\\') && slash != std::string_view::npos) component.remove_suffix(1);
    const std::vector<PatternPart> parts = {{component, false}};
    const Pattern compiled(parts, pattern_options(world));
    const bool hidden =
        component.starts_with('.') || component.starts_with("\\.") || world.shell.options.dotglob;
    std::vector<std::string> next;
    for (const std::string& folder : found) {
      const auto names = io_.list(world, io_.absolute(world, folder.empty() ? "." : folder));
      if (!names) {
        // What lies there only the host knows.
        const std::string cause = "files matching " + literal;
        pending.field.value = Value::unknown(cause, pending.field.value.origin(), Shape::kNotEmpty);
        pending.field.uncertain_count = cause;
        out.push_back(std::move(pending.field));
        return;
      }
      session_.charge(names->size());
      for (const std::string& name : *names) {
        if (name.starts_with('.') && !hidden) continue;
        const auto matches = compiled.matches(name);
        if (!matches || !*matches) continue;
        const std::string path =
            folder.empty() || folder == "/" ? folder + name : folder + "/" + name;
        if (rest.empty() || io_.entry(world, io_.absolute(world, path)).is_folder) {
          next.push_back(path);
        }
      }
    }
    found = std::move(next);
  }
  if (found.empty() || (found.size() == 1 && found.front().empty())) {
    if (!world.shell.options.nullglob) out.push_back(std::move(pending.field));
    return;
  }
  for (std::string& path : found) {
    out.push_back(
        {Value::of(std::move(path), pending.field.value.origin()), pending.field.span, {}});
  }
}

}  // namespace recipelint::shell
