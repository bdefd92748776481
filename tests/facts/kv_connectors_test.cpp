#include "analyzer/facts/kv_connectors.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/facts/embedded.h"
#include "analyzer/facts/table.h"

namespace recipelint::facts {
namespace {

TEST(KvConnectors, TellsMemoryFromPeers) {
  EXPECT_EQ(kv_movement("SimpleCPUOffloadConnector"), KvMovement::kOffloads);
  EXPECT_EQ(kv_movement("hicache"), KvMovement::kOffloads);
  EXPECT_EQ(kv_movement("NixlConnector"), KvMovement::kHandsOver);
  EXPECT_EQ(kv_movement("LMCacheConnectorV1"), KvMovement::kEither);
  EXPECT_EQ(kv_movement("MyConnector"), KvMovement::kUnknown);
  EXPECT_EQ(kv_movement_fact("MyConnector"), "");
  EXPECT_EQ(kv_movement_fact("hicache"),
            "'hicache' offloads: --enable-hierarchical-cache (server_args.py of "
            "sgl-project/sglang, 2026-08-22)");
}

TEST(KvConnectors, EveryLineHasAWordThatIsKnown) {
  const auto table = Table::parse(embedded_data("kv_connectors.tsv"), 3);
  ASSERT_TRUE(table.ok());
  for (std::size_t i = 0; i < table.value().size(); ++i) {
    const std::string what(table.value().row(i).cells[1]);
    EXPECT_TRUE(what == "offloads" || what == "hands-over" || what == "either") << what;
  }
}

}  // namespace
}  // namespace recipelint::facts
