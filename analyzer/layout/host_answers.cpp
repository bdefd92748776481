#include "analyzer/layout/host_answers.h"

namespace recipelint::layout {
namespace {

using shell::HostAnswer;
using shell::HostQuestion;
using shell::Shape;
using shell::Value;

/// Of InferenceX's benchmark_lib.sh: reads config.json of the model it is given or, if that is a
/// folder, of $MODEL_PATH, and prints the number of positions that the model was made for.
constexpr std::string_view kNativeContext = "get_native_max_context_length";

}  // namespace

std::optional<std::int64_t> HostAnswers::native_context(const Value& name) const {
  if (!name.is_known()) return std::nullopt;
  const std::string text = name.text();
  const bool is_folder = !folder_.path.empty() && text == folder_.path;
  const facts::Model* model = models_.find_model(is_folder ? folder_.model : text);
  if (model == nullptr) return std::nullopt;
  return model->family->number("max_position_embeddings");
}

HostAnswer HostAnswers::answer_native_context(const HostQuestion& question) const {
  const Value named = question.arguments.empty() ? Value() : question.arguments.front();
  const Value path = question.variable("MODEL_PATH").value_or(Value());
  const std::optional<std::int64_t> context = native_context(named);
  // Whether $MODEL_PATH is there only the host knows, so both must be models of one length.
  const bool agreed = path.empty() || native_context(path) == context;
  if (context && agreed) return {Value::of(std::to_string(*context)), shell::Status::of(0)};
  return {
      Value::unknown("native context length of model '" + named.text() + "'", {}, Shape::kNumber),
      shell::Status::of(0)};
}

bool HostAnswers::knows(std::string_view name) const {
  return name == kNativeContext;
}

std::optional<HostAnswer> HostAnswers::answer(const HostQuestion& question) const {
  if (question.name != kNativeContext) return std::nullopt;
  return answer_native_context(question);
}

}  // namespace recipelint::layout
