#include "analyzer/launch/recognize.h"

#include <gtest/gtest.h>

#include <sstream>

namespace recipelint::launch {
namespace {

struct Case {
  const char* command;
  const char* program;  // null: none
  std::size_t index;
  std::size_t arguments;
  Engine engine;
  Role role;
};

std::vector<shell::Value> words(const std::string& command) {
  std::vector<shell::Value> out;
  std::istringstream in(command);
  for (std::string word; in >> word;) out.push_back(shell::Value::of(word));
  return out;
}

TEST(Recognize, FindsTheProgramBehindWrappers) {
  constexpr auto kVllm = Engine::kVllm;
  constexpr auto kServer = Role::kAggregate;
  const std::vector<Case> cases = {
      {"vllm serve m", "vllm serve", 0, 2, kVllm, kServer},
      {"/opt/bin/vllm serve m", "vllm serve", 0, 2, kVllm, kServer},
      {"vllm --version", nullptr, 0, 0, kVllm, kServer},
      {"python3 -u -m sglang.launch_server --tp 8", "python3 -m sglang.launch_server", 0, 4,
       Engine::kSglang, kServer},
      {"python -m vllm.entrypoints.openai.api_server",
       "python3 -m vllm.entrypoints.openai.api_server", 0, 3, kVllm, kServer},
      {"python3 -c pass", nullptr, 0, 0, kVllm, kServer},
      {"env A=1 -u B nohup numactl -N 0 -m 0 vllm serve m", "vllm serve", 10, 12, kVllm, kServer},
      {"timeout -k 5 60 taskset -c 0-7 vllm serve m", "vllm serve", 7, 9, kVllm, kServer},
      {"mpirun -n 1 --oversubscribe --allow-run-as-root -x A=1 trtllm-serve m", "trtllm-serve", 7,
       8, Engine::kTensorRtLlm, kServer},
      {"srun --ntasks=1 -N 2 trtllm-llmapi-launch trtllm-serve m", "trtllm-serve", 5, 6,
       Engine::kTensorRtLlm, kServer},
      {"docker run --gpus all -e A=b vllm/vllm-openai:v1 --model m", "vllm serve", 6, 7, kVllm,
       kServer},
      {"docker run --rm img vllm serve m", "vllm serve", 4, 6, kVllm, kServer},
      {"docker run --rm nginx", nullptr, 0, 0, kVllm, kServer},
      {"docker exec -it c sglang serve", "sglang serve", 4, 6, Engine::kSglang, kServer},
      {"python3 /x/benchmark_serving.py --model m", "python3 benchmark_serving.py", 0, 2,
       Engine::kOther, Role::kClient},
      {"python3 -m dynamo.frontend", "python3 -m dynamo.frontend", 0, 3, Engine::kOther,
       Role::kRouter},
      {"mooncake_master --port 1", "mooncake_master", 0, 1, Engine::kOther, Role::kCompanion},
      {"env A=1", nullptr, 0, 0, kVllm, kServer},
      {"timeout", nullptr, 0, 0, kVllm, kServer},
  };
  for (const Case& expected : cases) {
    const auto program = recognize(words(expected.command));
    ASSERT_EQ(program.has_value(), expected.program != nullptr) << expected.command;
    if (!program) continue;
    EXPECT_EQ(program->name, expected.program);
    EXPECT_EQ(program->index, expected.index) << expected.command;
    EXPECT_EQ(program->arguments_index, expected.arguments) << expected.command;
    EXPECT_EQ(program->engine, expected.engine) << expected.command;
    EXPECT_EQ(program->role, expected.role) << expected.command;
  }
}

TEST(Recognize, KnowsAProgramWhoseFolderOnlyTheHostKnows) {
  shell::Value python = shell::Value::unknown("directory of python3");
  python.append(shell::Piece{"/python3", true, {}, {}});
  const std::vector<shell::Value> argv = {python, shell::Value::of("-m"),
                                          shell::Value::of("sglang.launch_server")};
  EXPECT_TRUE(recognize(argv).has_value());
  EXPECT_FALSE(recognize(std::vector{shell::Value::unknown("output of x")}).has_value());
}

}  // namespace
}  // namespace recipelint::launch
