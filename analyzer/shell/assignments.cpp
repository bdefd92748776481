#include <utility>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {

ExpandedAssignment Interpreter::expand_assignment(World& world, const Assignment& assignment) {
  ExpandedAssignment out;
  out.source = &assignment;
  const ReadScope scope(session_, &out.reads);
  if (const auto* word = std::get_if<Word>(&assignment.value)) {
    out.scalar = expander_.assigned_text(world, *word);
    return out;
  }
  for (const ArrayElement& element : std::get<std::vector<ArrayElement>>(assignment.value)) {
    if (!world.is_running()) return out;
    if (element.subscript != nullptr) {
      Value subscript = expander_.text(world, *element.subscript);
      Value value = expander_.assigned_text(world, element.value);
      out.elements.push_back({std::move(subscript), std::move(value), element.appends});
      continue;
    }
    std::vector<Field> fields;
    expander_.fields(world, element.value, fields);
    for (Field& field : fields) {
      if (!field.uncertain_count.empty() && out.uncertain_count.empty()) {
        out.uncertain_count = field.uncertain_count;
      }
      out.elements.push_back({std::nullopt, std::move(field.value), false});
    }
  }
  return out;
}

bool Interpreter::apply_assignment(World& world, const ExpandedAssignment& assignment) {
  const bool done = assign_expanded(world, assignment);
  const NameId name = variables_.resolve(world, session_.names.id(assignment.source->name));
  const Shared<Variable>& variable = world.shell.variables.find(name);
  if (variable) {
    for (const std::uint32_t read : assignment.reads) {
      session_.link_assignments(read, variable->assignment);
    }
  }
  return done;
}

bool Interpreter::assign_expanded(World& world, const ExpandedAssignment& assignment) {
  const Assignment& source = *assignment.source;
  const NameId name = session_.names.id(source.name);
  if (assignment.is_array()) return apply_array(world, assignment);
  if (source.subscript == nullptr) {
    return variables_.assign(world, name, assignment.scalar, source.span, source.appends);
  }
  const Expander::Subscript at = expander_.subscript(world, name, *source.subscript);
  if (at.failed) return false;
  if (!at.cause.empty()) {
    variables_.make_unknown(world, name, at.cause, source.span);
    return true;
  }
  if (at.is_key) {
    return variables_.assign_entry(world, name, at.key, assignment.scalar, source.span,
                                   source.appends);
  }
  return variables_.assign_element(world, name, at.index, assignment.scalar, source.span,
                                   source.appends);
}

bool Interpreter::apply_array(World& world, const ExpandedAssignment& assignment) {
  const Assignment& source = *assignment.source;
  const NameId name = variables_.resolve(world, session_.names.id(source.name));
  {
    Variable& variable = world.shell.variables.write(name);
    if (variable.readonly) return variables_.assign(world, name, {}, source.span);
    if (variable.kind == Variable::Kind::kScalar) {
      Value first = std::exchange(variable.scalar, Value());
      const bool had_value = std::exchange(variable.is_set, false);
      variable.kind = Variable::Kind::kIndexed;
      if (source.appends && had_value) variable.element(0) = std::move(first);
    }
    const std::uint32_t before = variable.assignment;
    if (!source.appends) variable.clear_elements();
    if (!assignment.uncertain_count.empty()) variable.uncertain_count = assignment.uncertain_count;
    variable.is_set = true;
    variable.assignment = session_.add_assignment(name, source.span);
    if (source.appends) session_.link_assignments(before, variable.assignment);
  }
  if (world.shell.variables.find(name)->kind == Variable::Kind::kAssociative) {
    return apply_entries(world, name, assignment);
  }
  std::int64_t next = world.shell.variables.find(name)->next_index();
  for (const ExpandedAssignment::Element& element : assignment.elements) {
    if (element.subscript) {
      const ArithmeticResult index = variables_.arithmetic(world, *element.subscript, source.span);
      if (index.kind == ArithmeticResult::Kind::kError) return false;
      if (index.kind == ArithmeticResult::Kind::kUnknown) {
        variables_.make_unknown(world, name, index.message, source.span);
        return true;
      }
      next = index.value;
    }
    const text::Span place = Variables::place_of_element(element.value, source.span);
    if (!variables_.assign_element(world, name, next, element.value, place, element.appends)) {
      return false;
    }
    ++next;
  }
  return true;
}

bool Interpreter::apply_entries(World& world, NameId name, const ExpandedAssignment& assignment) {
  const text::Span span = assignment.source->span;
  const auto& elements = assignment.elements;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    // Without subscripts, keys and values alternate.
    const bool pairs = !elements[i].subscript;
    const Value& key = pairs ? elements[i].value : *elements[i].subscript;
    const Value value = !pairs                    ? elements[i].value
                        : i + 1 < elements.size() ? elements[i + 1].value
                                                  : Value();
    if (!key.is_known()) {
      variables_.make_unknown(world, name, std::string(key.cause()), span);
      return true;
    }
    if (!variables_.assign_entry(world, name, key.text(), value, span, elements[i].appends)) {
      return false;
    }
    if (pairs) ++i;
  }
  return true;
}

}  // namespace recipelint::shell
