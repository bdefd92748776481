// The least that any reader of a repository must do: tree-sitter's parser over its scripts and
// yaml-cpp's events over its YAML, with a handler that does nothing. A process of its own, so that
// it can be compared with a whole run.
//
//   recipelint_floor --list ROOT        the files that a check of ROOT parses, one a line
//   recipelint_floor ROOT THREADS       reads such a list and parses those files

#include <yaml-cpp/exceptions.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/text/parallel.h"
#include "tests/bench/bare_parsers.h"
#include "tests/bench/parsed_files.h"

int main(int argc, char** argv) {
  using namespace recipelint;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 2) {
    std::fputs("usage: recipelint_floor --list ROOT | ROOT THREADS < LIST\n", stderr);
    return 2;
  }
  if (arguments[0] == "--list") {
    for (const std::string& path : bench::parsed_files(arguments[1])) {
      std::printf("%s\n", path.c_str());
    }
    return 0;
  }
  std::vector<std::string> paths;
  for (std::string line; std::getline(std::cin, line);) paths.push_back(arguments[0] + "/" + line);
  const auto threads = static_cast<unsigned>(std::strtoul(arguments[1].c_str(), nullptr, 10));
  text::run_in_parallel(paths.size(), threads, [&](std::size_t i) {
    std::ifstream in(paths[i], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (bench::is_script(paths[i])) {
      bench::parse_bare_script(bytes);
    } else {
      bench::read_bare_yaml(bytes);
    }
  });
  return 0;
}
