#include "analyzer/launch/documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/text/source_file.h"

namespace recipelint::launch {
namespace {

using shell::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Launch command(Engine engine, const std::vector<std::string>& arguments) {
  Launch launch;
  launch.engine = engine;
  launch.arguments_index = 1;
  launch.argv.push_back(Value::of("server"));
  for (const std::string& argument : arguments) launch.argv.push_back(Value::of(argument));
  return launch;
}

std::vector<std::string> invalid_names(const Launch& launch) {
  std::vector<std::string> names;
  for (const InvalidDocument& document : invalid_documents(launch)) names.push_back(document.name);
  return names;
}

TEST(InvalidDocuments, ReadsJsonOfTheEngineInBothSpellings) {
  EXPECT_THAT(invalid_names(command(Engine::kVllm, {"--speculative-config", "{'a': 1}",
                                                    "--hf_overrides={\"a\": 1,}"})),
              ElementsAre("--speculative-config", "--hf_overrides"));
  EXPECT_THAT(invalid_names(command(Engine::kSglang, {"--json-model-override-args", "{\"a\": }"})),
              ElementsAre("--json-model-override-args"));
}

TEST(InvalidDocuments, LeavesOptionsOfOtherEnginesAndOtherFormsAlone) {
  for (const char* value : {"auto", "@file.toml", "image=4", "3", "", "{\"a\": NaN}", " {} "}) {
    EXPECT_THAT(invalid_names(command(Engine::kVllm, {"--hf-overrides", value})), IsEmpty())
        << value;
  }
  EXPECT_THAT(invalid_names(command(Engine::kSglang, {"--speculative-config", "{a}"})), IsEmpty());
  EXPECT_THAT(invalid_names(command(Engine::kVllm, {"--chat-template", "{{ x }}"})), IsEmpty());
}

TEST(InvalidDocuments, LeavesWhatIsKnownInPartAlone) {
  Launch launch = command(Engine::kVllm, {"--hf-overrides"});
  Value value = Value::of("{\"a\": ");
  value.append(Value::unknown("output of nvidia-smi"));
  launch.argv.push_back(value);
  launch.config_files.push_back({"x.json", value});
  EXPECT_THAT(invalid_documents(launch), IsEmpty());
}

TEST(InvalidDocuments, PointsAtThePieceWithTheError) {
  const text::SourceFile file("x.sh", "{\"a\": 1 ,}");
  text::OriginPool pool;
  Value value = Value::of("{\"a\": 1", pool.add(file.span(0, 7), "here"));
  value.append(Value::of(",}", pool.add(file.span(8, 10), "here")));
  Launch launch = command(Engine::kVllm, {"--hf-overrides"});
  launch.argv.push_back(value);
  const auto found = invalid_documents(launch);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].span, file.span(8, 10));
  EXPECT_EQ(found[0].language, "JSON");
}

TEST(InvalidDocuments, ReadsWrittenFilesByTheirExtension) {
  Launch launch = command(Engine::kTensorRtLlm, {});
  launch.config_files = {{"a.yaml", Value::of("a: 1\n b: 2\n")},
                         {"b.json", Value::of("{\"a\" 1}")},
                         {"c.yml", Value::of("a: 1\nb: [1, 2]\n")},
                         {"d.jinja", Value::of("{% if %}")}};
  EXPECT_THAT(invalid_names(launch), ElementsAre("a.yaml", "b.json"));
  EXPECT_THAT(invalid_documents(launch)[0].problem, HasSubstr("line 2"));
}

}  // namespace
}  // namespace recipelint::launch
