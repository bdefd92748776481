#include "analyzer/layout/bare_script.h"

namespace recipelint::layout {

BareScript bare_script(std::string script, std::shared_ptr<const GivenRun> run) {
  BareScript bare;
  bare.target.kind = Target::Kind::kScript;
  bare.target.launcher_known = false;
  bare.target.candidates = {script};
  bare.target.script = std::move(script);
  bare.target.script_exists = true;
  const auto gpu = run->fields.find("gpu");
  if (gpu != run->fields.end()) bare.target.runner.launcher = gpu->second;
  bare.run = std::move(run);
  return bare;
}

Variables given_variables(const GivenRun& run, text::OriginPool& pool) {
  Variables variables;
  const text::Origin origin = pool.add({}, "given on the command line");
  for (const auto& [name, text] : run.environment) {
    variables[name] = shell::Value::of(text, origin);
  }
  return variables;
}

}  // namespace recipelint::layout
