#include "analyzer/serving/memory/topologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyzer/serving/memory/question.h"

namespace recipelint::serving::memory {
namespace {

template <typename Format>
std::string names(const std::vector<Format>& formats) {
  std::string text;
  for (const Format format : formats) text += fmt::format("{},", to_string(format));
  return text;
}

/// Everything that the answer depends on.
std::string identity(const MemoryQuestion& question) {
  std::string text = fmt::format("{} {} {} {}", launch::to_string(question.engine),
                                 question.model == nullptr ? "" : question.model->repository,
                                 question.gpu == nullptr ? "" : question.gpu->name,
                                 question.release ? facts::to_string(*question.release) : "");
  if (!question.version_known) text += " unknown version";
  text += fmt::format(" {} {} {} {} {} {} {}", question.tensor, question.data, question.pipeline,
                      question.expert, question.decode_context, question.prefill_context,
                      question.attention_data);
  text += fmt::format(" {} {} {} {} {} {}", question.length, fmt::join(question.step_tokens, ","),
                      fmt::join(question.steps_in_flight, ","), names(question.formats),
                      names(question.indexes), fmt::join(question.draft_layers, ","));
  for (const StatePool& pool : question.state_pools) {
    text += fmt::format(" {}/{}", pool.states, pool.share);
  }
  text += fmt::format(" {} {}", question.state_element, question.window_ratio);
  for (const bool caching : question.prefix_caching) text += caching ? " cached" : " plain";
  text += fmt::format(" {} {} {} {}", question.speculative_tokens, question.speculation,
                      question.block_size,
                      question.hybrid ? (*question.hybrid ? "hybrid" : "uniform") : "");
  text += fmt::format(" {} {} {} {}", question.loaded.mtp, question.loaded.vision,
                      question.loaded.external_draft, question.weight_offload);
  text += fmt::format(" {} {} {}", question.fraction.low, question.fraction.high,
                      question.cache_bytes.value_or(-1));
  return text +
         fmt::format(" {} {}", fmt::join(question.missing, ","), fmt::join(question.assumed, ","));
}

/// Cells that start the same share their servers, and so the questions about them.
class Questions {
 public:
  struct Asked {
    MemoryQuestion question;
    std::string identity;
  };
  explicit Questions(const facts::Catalog& catalog) : catalog_(catalog) {}

  const Asked& of(const CellServers& cell, const Server& server) {
    const auto [found, added] = asked_.try_emplace(&server);
    if (added) {
      MemoryQuestion question = memory_question(*server.launch, server.config, cell.setup.model,
                                                cell.setup.gpu, catalog_);
      std::string text = identity(question);
      found->second = {std::move(question), std::move(text)};
    }
    return found->second;
  }

 private:
  const facts::Catalog& catalog_;
  std::map<const Server*, Asked> asked_;
};

}  // namespace

std::string_view owner_of(const layout::EvaluatedCell& cell) {
  return cell.owner();
}

std::vector<std::string> Topology::cell_names() const {
  std::vector<std::string> list;
  for (const auto* cell : cells) list.push_back(cell->name());
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<Topology> find_topologies(std::span<const CellServers> cells,
                                      const facts::Catalog& catalog) {
  using Key = std::tuple<std::string, launch::Role, std::string, text::Span>;
  const auto before = [](const Key& a, const Key& b) {
    const auto of = [](const Key& key) {
      return std::tie(std::get<0>(key), std::get<1>(key), std::get<2>(key));
    };
    if (of(a) != of(b)) return of(a) < of(b);
    return text::compare(std::get<3>(a), std::get<3>(b)) < 0;
  };
  std::map<Key, std::size_t, decltype(before)> known(before);
  Questions questions(catalog);
  std::vector<Topology> topologies;
  for (const CellServers& cell : cells) {
    for (const Server& server : cell.servers) {
      const auto& [question, identity] = questions.of(cell, server);
      Key key{std::string(owner_of(*cell.cell)), server.launch->role, identity,
              server.launch->span};
      const auto [found, added] = known.emplace(std::move(key), topologies.size());
      if (added) topologies.push_back({&cell, &server, question, {}, {}});
      auto& names = topologies[found->second].cells;
      if (names.empty() || names.back() != cell.cell) names.push_back(cell.cell);
    }
  }
  for (Topology& topology : topologies) {
    topology.fit = memory_fit(topology.question, catalog.memory());
  }
  return topologies;
}

}  // namespace recipelint::serving::memory
