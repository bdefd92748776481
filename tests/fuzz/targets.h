#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analyzer/text/span.h"

/// What is fed with made-up input: one function for each reader of untrusted bytes. Each ends on
/// any input, within bounds, and stops the program if what it gets back cannot be right. Clang's
/// libFuzzer calls them (entry.cpp), and so does a test with the seeds (smoke_test.cpp).
namespace recipelint::fuzz {

void arithmetic(std::string_view input);
void atom_launch(std::string_view input);
void baseline(std::string_view input);
void configuration(std::string_view input);
void evaluator(std::string_view input);
void facts_file(std::string_view input);
void git_objects(std::string_view input);
void golden_lengths(std::string_view input);
void ignores(std::string_view input);
void image_reference(std::string_view input);
void patterns(std::string_view input);
void recipe(std::string_view input);
void reports(std::string_view input);
void search_space(std::string_view input);
void sglang_launch(std::string_view input);
void trtllm_launch(std::string_view input);
void vllm_launch(std::string_view input);
void words(std::string_view input);
void yaml_nodes(std::string_view input);

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};
/// All of them, by name; each is the file <name>_fuzz.cpp.
std::span<const Target> targets();

/// Ends the program with a message unless `holds`.
void demand(bool holds, const char* what);
/// A span, if it is one, must lie in its file.
void demand_inside(text::Span span);

/// The parts of an input between lines that are just "%", at least `count` of them.
std::vector<std::string_view> parts_of(std::string_view input, std::size_t count);

}  // namespace recipelint::fuzz
