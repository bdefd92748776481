#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "analyzer/app/command_line.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return recipelint::app::run(
      arguments,
      {std::cin, std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1, ::isatty(STDERR_FILENO) == 1});
}
