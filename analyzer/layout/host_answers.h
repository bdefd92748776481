#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/facts/models.h"
#include "analyzer/shell/evaluate.h"

namespace recipelint::layout {

/// The folder in which a launcher keeps a model.
struct ModelFolder {
  std::string path;  // empty: it keeps none
  std::string model;
};

/// What the functions of a recipe library print that ask the host about a model, as far as the
/// catalogue of models says it.
class HostAnswers final : public shell::HostModels {
 public:
  /// `models` must outlive it.
  explicit HostAnswers(const facts::ModelFacts& models, ModelFolder folder = {})
      : models_(models), folder_(std::move(folder)) {}

  bool knows(std::string_view name) const override;
  std::optional<shell::HostAnswer> answer(const shell::HostQuestion& question) const override;

 private:
  std::optional<std::int64_t> native_context(const shell::Value& name) const;
  shell::HostAnswer answer_native_context(const shell::HostQuestion& question) const;

  const facts::ModelFacts& models_;
  ModelFolder folder_;
};

}  // namespace recipelint::layout
