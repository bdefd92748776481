#include "tests/support/command.h"

#include <sstream>

#include "analyzer/app/command_line.h"

namespace recipelint::testing {

CommandResult run_command(const std::vector<std::string>& arguments, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = app::run(arguments, {in, out, err});
  return {code, out.str(), err.str()};
}

}  // namespace recipelint::testing
