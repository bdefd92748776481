#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/space/read.h"
#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

/// Search-space files in memory; keeps what spans and views point at.
class SpaceFiles {
 public:
  std::shared_ptr<const yaml::Document> parse(const std::string& path, const std::string& text) {
    files_.push_back(std::make_unique<text::SourceFile>(path, text));
    auto document = yaml::Document::parse(*files_.back());
    EXPECT_TRUE(document.ok()) << (document.ok() ? "" : document.error().message) << "\n" << text;
    return document.ok() ? *document : nullptr;
  }

  void add_master(const std::string& text, const std::string& path = "configs/lab-master.yaml") {
    space.masters.push_back(read_master_config(parse(path, text), problems));
  }
  void add_runners(const std::string& text) {
    space.runners = read_runners(parse("configs/runners.yaml", text), problems);
  }
  void add_priority(const std::string& text) {
    space.ci_priority = read_ci_priority(parse("configs/ci-priority.yaml", text), problems);
  }
  void add_changelog(const std::string& text) {
    space.changelog = read_changelog(parse("perf-changelog.yaml", text), problems);
  }

  /// "line: level[RULE]: message" for each problem.
  std::vector<std::string> reports() const {
    constexpr std::string_view kLevels[] = {"note", "warning", "error"};
    std::vector<std::string> lines;
    for (const Problem& problem : problems) {
      const auto line = problem.span.file->position(problem.span.begin).line;
      lines.push_back(std::to_string(line) + ": " +
                      std::string(kLevels[static_cast<int>(problem.severity)]) + "[" +
                      std::string(problem.rule) + "]: " + problem.message);
    }
    return lines;
  }

  SearchSpace space;
  std::vector<Problem> problems;

 private:
  std::vector<std::unique_ptr<text::SourceFile>> files_;
};

/// The eight lines of an entry before its scenarios; `multinode` and what follows are on line 8.
inline std::string entry_head(const std::string& key, const std::string& multinode,
                              const std::string& runner = "cluster:lab") {
  return key + ":\n  image: i\n  model: m\n  model-prefix: p\n  precision: fp8\n" +
         "  framework: vllm\n  runner: " + runner + "\n  multinode: " + multinode + "\n";
}

/// An entry with one single-node 8k1k item; its rows begin on line 14.
inline std::string single_node(const std::string& rows) {
  return entry_head("key", "false") +
         "  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n"
         "      search-space:\n" +
         rows;
}

/// An entry with one multi-node 8k1k item; its rows begin on line 14.
inline std::string multi_node(const std::string& rows) {
  return entry_head("key", "true") +
         "  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n"
         "      search-space:\n" +
         rows;
}

/// An entry with one agentic item; its rows begin on line 13.
inline std::string agentic(const std::string& multinode, const std::string& rows) {
  return entry_head("key", multinode) +
         "  scenarios:\n    agentic-coding:\n    - dram-utilization: 0.8\n"
         "      search-space:\n" +
         rows;
}

inline const std::string kWorker = "{ num-worker: 1, tp: 8, ep: 1, dp-attn: false }";
inline const std::string kWorkers = "prefill: " + kWorker + ", decode: " + kWorker;

}  // namespace recipelint::space
