#include "analyzer/facts/images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {
namespace {

const ImageFacts& images() {
  static const Catalog catalog;
  return catalog.images();
}

const std::string kDigest =
    "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

struct Case {
  std::string reference;
  std::string expected;
};

TEST(ImageFacts, ClassifiesReferences) {
  const std::vector<Case> cases = {
      // vLLM
      {"vllm/vllm-openai:latest", "rolling"},
      {"vllm/vllm-openai:latest-x86_64", "rolling"},
      {"vllm/vllm-openai:nightly", "rolling"},
      {"vllm/vllm-openai:nightly-aarch64", "rolling"},
      {"vllm/vllm-openai:nightly-x86_64", "rolling"},
      {"vllm/vllm-openai:cu129-nightly", "rolling"},
      {"vllm/vllm-openai-rocm:base-nightly", "rolling"},
      {"vllm/vllm-openai-rocm:nightly", "rolling"},
      {"vllm/vllm-openai-rocm:latest-base", "rolling"},
      {"vllm/vllm-openai-xpu:nightly", "rolling"},
      {"vllm/vllm-openai:nightly-1234567890abcdef1234567890abcdef12345678", "commit-nightly"},
      {"vllm/vllm-openai:cu129-nightly-1234567890abcdef1234567890abcdef12345678", "commit-nightly"},
      {"vllm/vllm-openai-rocm:base-nightly-1234567890abcdef1234567890abcdef12345678",
       "commit-nightly"},
      {"vllm/vllm-openai-rocm:nightly-1234567890abcdef1234567890abcdef12345678", "commit-nightly"},
      {"vllm/vllm-openai:nightly-dev-arm64-cu13.0.1-1a2b3c4", "commit-nightly"},
      {"vllm/vllm-openai:nightly-dev-x86_64-cu13.0.1-1234567", "commit-nightly"},
      {"vllm/vllm-openai:v0.27.1", "release"},
      {"vllm/vllm-openai:v0.27.1-x86_64", "release"},
      {"vllm/vllm-openai:v0.19.0-cu130", "release"},
      {"vllm/vllm-openai:v0.21.0-ubuntu2404", "release"},
      {"vllm/vllm-openai:v0.28.0rc2", "release"},
      {"vllm/vllm-openai:v0.25.1.post1-aarch64-cu130", "release"},
      {"vllm/vllm-openai-rocm:v0.26.0-base", "release"},
      {"vllm/vllm-openai:model-x", "named"},
      {"vllm/vllm-openai:deepseekv4-cu130", "named"},
      {"vllm/vllm-openai:minimax-m3-0618-x86_64-cu130", "named"},
      {"vllm/vllm-openai:nightly-for-acme", "named"},
      {"vllm/vllm-openai-rocm:model-x", "named"},
      {"vllm/vllm-openai:model-x-mxfp4-arm64-cu130-1a2b3c4", "named-build"},
      {"vllm/vllm-openai:vllm-x86_64-cu13-0.25.1-1a2b3c4", "named-build"},
      {"vllm/vllm-openai:model-x-perf-arm64-13.0.1-7a67223", "named-build"},
      {"docker.io/vllm/vllm-openai:nightly", "rolling"},
      {"docker://registry-1.docker.io#vllm/vllm-openai:model-x", "named"},
      {"vllm/vllm-router:nightly-20260716-1fbcde7", "dated-nightly"},
      {"vllm/vllm-router:v0.1.9", "release"},
      {"vllm/vllm-router:nightly", "rolling"},
      // SGLang
      {"lmsysorg/sglang:latest", "rolling"},
      {"lmsysorg/sglang:latest-cu130", "rolling"},
      {"lmsysorg/sglang:latest-runtime", "rolling"},
      {"lmsysorg/sglang:dev", "rolling"},
      {"lmsysorg/sglang:dev-cu12", "rolling"},
      {"lmsysorg/sglang:dev-cu13", "rolling"},
      {"lmsysorg/sglang:nightly-dev-20260818-c0b6474b", "dated-nightly"},
      {"lmsysorg/sglang:nightly-dev-cu13-20260805-211ee642", "dated-nightly"},
      {"lmsysorg/sglang:nightly-dev-cu12-20260401-12345678", "dated-nightly"},
      {"lmsysorg/sglang:v0.5.12", "release"},
      {"lmsysorg/sglang:v0.5.12.post1", "release"},
      {"lmsysorg/sglang:v0.5.17-cu130", "release"},
      {"lmsysorg/sglang:v0.5.8.post1-cu130-runtime", "release"},
      {"lmsysorg/sglang:v0.5.8.post1-cu130-amd64", "release"},
      {"lmsysorg/sglang:v0.5.12-rocm720-mi35x", "release"},
      {"lmsysorg/sglang:v0.5.10rc0-rocm720-mi30x", "release"},
      {"lmsysorg/sglang:v0.5.17-rocm720-mi35x-20260811", "dated-release"},
      {"lmsysorg/sglang:dev-nightly-0820", "named"},
      {"lmsysorg/sglang:dev-pr-31415", "named"},
      {"lmsysorg/sglang:dev-cu13-acme", "named"},
      {"lmsysorg/sglang:model-x-hopper", "named"},
      {"lmsysorg/sglang:nightly-dev-20260230-c0b6474b", "named-build"},
      {"lmsysorg/sglang:dev-cu13-1a2b3c4d", "named-build"},
      {"lmsysorg/sglang:model-x-hopper" + kDigest, "digest"},
      {"lmsysorg/sglang:v0.5.14-cu130" + kDigest, "digest"},
      {"lmsysorg/sglang@sha512:" + std::string(128, '0'), "digest"},
      {"nvcr.io#acme/engine:" + kDigest.substr(1), "digest"},
      {"lmsysorg/sglang-rocm:v0.5.12.post1-rocm720-mi35x-20260523", "dated-release"},
      {"lmsysorg/sglang-rocm:v0.5.16-rocm720-mi30x-20260730", "dated-release"},
      {"rocm/sgl-dev:v0.5.8.post1-rocm720-mi35x-20260219", "dated-release"},
      {"rocm/sgl-dev:sglang-0.5.9-rocm720-mi35x-mori-0227-2", "named"},
      {"rocm/sgl-dev:rocm720-mi35x-f96ac98-20260526-ModelX", "named-build"},
      {"rocm/sgl-dev:model-x-mi35x", "named"},
      {"lmsysorg/sglang-staging:model-x-grace-blackwell-dev", "rolling"},
      // ATOM and AMD
      {"rocm/atom-dev:latest", "rolling"},
      {"rocm/atom-dev:vllm-latest", "rolling"},
      {"rocm/atom-dev:sglang-latest", "rolling"},
      {"rocm/atom-dev:nightly_202606101403", "dated-nightly"},
      {"rocm/atom-dev:nightly_202606101403-branch_x", "dated-nightly"},
      {"rocm/atom-dev:vllm-v0.25.1-nightly_20260801", "dated-nightly"},
      {"rocm/atom-dev:sglang-v0.5.16-nightly_202608011530", "dated-nightly"},
      {"rocm/atom-dev:nightly_202613101403", "named"},
      {"rocm/atom-dev:ubuntu24.04_py3.12_pytorch_release_2.10.0_modelx_agentic_0813", "named"},
      {"rocm/atom-dev:Model-X-20260623", "named-build"},
      {"rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3", "release"},
      {"rocm/atom:rocm7.2.2_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.2.post", "release"},
      {"rocm/atom:rocm7.2.1-ubuntu24.04-pytorch2.9.1-atom0.1.2", "release"},
      {"rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.4_20260612",
       "dated-release"},
      {"rocm/atom:rocm7.2.3_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom20260511",
       "dated-release"},
      {"rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atomesh_202607121715",
       "dated-release"},
      {"rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_latest", "rolling"},
      {"rocm/atom:rocm7.2.2", "release"},
      {"rocm/vllm-dev:nightly", "rolling"},
      {"rocm/vllm-dev:vllm-0.23.1-rocm723-mi35x-mori-0625", "named"},
      {"rocm/vllm:latest", "rolling"},
      // NVIDIA and others
      {"nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc24", "release"},
      {"nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc22.post1", "release"},
      {"nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.8.1.post2", "release"},
      {"nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:1.3.0-dev.1-cuda13", "release"},
      {"nvcr.io#nvidia/ai-dynamo/vllm-runtime:1.3.0-model-x-dev.1", "release"},
      {"nvcr.io/nvidia/ai-dynamo/sglang-runtime:main", "rolling"},
      {"ghcr.io#semianalysisai/trtllm-deepseek-v4:feat-deepseek_v4-1a2b3c4", "named-build"},
      {"ghcr.io/acme/kernels:0.1.5", "release"},
      {"quay.io/acme/engine:vllm0.26" + kDigest, "digest"},
      {"quay.io/acme/engine:vllm0.26", "release"},
      // Unknown publishers
      {"acme/engine:latest", "rolling"},
      {"acme/engine:main", "rolling"},
      {"acme/engine:main-cu130", "rolling"},
      {"acme/engine:stable", "rolling"},
      {"acme/engine:v1.2.3-nightly", "rolling"},
      {"acme/engine:1.2.3-dev.4", "release"},
      {"acme/engine:v7", "release"},
      {"acme/engine:b5123", "release"},
      {"acme/engine:20260801", "dated-nightly"},
      {"acme/engine:nightly-20260801", "dated-nightly"},
      {"acme/engine:v1.2.3-20260801-cu130", "dated-nightly"},
      {"acme/engine:1234567890abcdef1234567890abcdef12345678", "commit-nightly"},
      {"acme/engine:feature-x-1a2b3c4", "named-build"},
      {"acme/engine:main-1a2b3c4", "named-build"},
      {"acme/engine:feature-x", "named"},
      {"acme/engine:device", "named"},
      {"registry.acme.example:5000/vllm/vllm-openai:latest", "rolling"},
      // No tag, placeholders, and what cannot be judged
      {"lmsysorg/sglang", "missing-tag"},
      {"nvcr.io#nvidia/tensorrt-llm/release", "missing-tag"},
      {"", "placeholder"},
      {"TBD", "placeholder"},
      {"<image>", "placeholder"},
      {"vllm/vllm-openai:<tag>", "placeholder"},
      {"vllm/vllm-openai:vX.Y.Z", "placeholder"},
      {"vllm/vllm-openai:TODO", "placeholder"},
      {"your-registry/engine:v1.0", "placeholder"},
      {"vllm/vllm-openai:${TAG}", "unknown"},
      {"$IMAGE", "unknown"},
      {"{{ image }}", "unknown"},
      {"/images/engine.sqsh", "unknown"},
      {"Acme/Engine:1.0", "unknown"},
      {"acme/engine:v1 beta", "unknown"},
      {"docker://$oauthtoken@nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc24", "release"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(to_string(images().classify(reference).tag_class), expected) << reference;
  }
  EXPECT_GE(cases.size(), 100u);
}

TEST(ImageFacts, ReadsVersionCommitAndDay) {
  const auto nightly = images().classify("lmsysorg/sglang:nightly-dev-cu13-20260805-211ee642");
  EXPECT_EQ(nightly.commit, "211ee642");
  EXPECT_EQ(nightly.date, (Date{2026, 8, 5}));
  EXPECT_EQ(nightly.publisher->engine, "sglang");
  EXPECT_EQ(nightly.form->retention->days(), 14);
  const auto release = images().classify("lmsysorg/sglang:v0.5.12.post1-cu130" + kDigest);
  EXPECT_EQ(release.version, "0.5.12.post1");
  EXPECT_EQ(images().classify("rocm/atom-dev:nightly_202606101403").date, (Date{2026, 6, 10}));
  EXPECT_EQ(images()
                .classify("rocm/atom:rocm7.2.4_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom0.1.3")
                .version,
            "0.1.3");
  EXPECT_EQ(images().classify("nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc22.post1").version,
            "1.3.0rc22.post1");
}

/// A reference to a repository of the publisher, from its pattern without the optional parts.
std::string repository_of(const Publisher& publisher) {
  std::string text = publisher.repository.text();
  if (const auto group = text.find('['); group != std::string::npos) text.resize(group);
  if (const auto any = text.find("{any}"); any != std::string::npos) text.replace(any, 5, "x");
  if (text.front() == '(') text = text.substr(1, text.find('|') - 1);
  return text;
}

TEST(ImageFacts, EveryFormHasExamplesThatAreOfThisForm) {
  for (const auto& publisher : images().publishers()) {
    for (const auto& form : publisher.forms) {
      EXPECT_FALSE(form.examples.empty()) << form.tag.text();
      for (const auto& example : form.examples) {
        const auto known = images().classify(repository_of(publisher) + ":" + example);
        ASSERT_NE(known.form, nullptr) << example;
        EXPECT_EQ(known.form->tag.text(), form.tag.text())
            << repository_of(publisher) << ":" << example;
        EXPECT_EQ(known.publisher, &publisher) << example;
      }
    }
  }
  for (const auto& form : images().general_forms()) {
    EXPECT_FALSE(form.examples.empty()) << form.tag.text();
    for (const auto& example : form.examples) {
      EXPECT_EQ(images().classify("acme/engine:" + example).form, &form) << example;
    }
  }
}

TEST(ImageFacts, EveryTagHasAClass) {
  ASSERT_FALSE(images().general_forms().empty());
  EXPECT_EQ(images().general_forms().back().tag.text(), "{any}");
}

/// "line:column message" for a file that cannot be read; "" for one that can.
std::string problem_of(const std::string& yaml) {
  const text::SourceFile file("facts.yaml", yaml);
  const auto document = yaml::Document::parse(file);
  if (!document) return "no YAML: " + document.error().message;
  ImageFacts facts;
  const auto error = facts.add((*document)->root());
  if (!error) return "";
  const auto position = file.position(error->where.begin);
  return std::to_string(position.line) + ":" + std::to_string(position.column) + " " +
         error->message;
}

TEST(ImageFacts, NamesThePlaceThatIsWrong) {
  const std::string publisher =
      "publishers:\n"
      "  - repository: acme/engine\n"
      "    name: Acme\n"
      "    source: s\n"
      "    date: 2026-08-01\n";
  const std::string form =
      "    forms:\n"
      "      - tag: v{version}\n"
      "        class: release\n"
      "        source: s\n"
      "        date: 2026-08-01\n";
  EXPECT_EQ(problem_of(publisher + form), "");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"- a\n", "1:1 a mapping is expected here"},
      {"publisher: []\n", "1:1 the key 'publisher' is not known here"},
      {"publishers: x\n", "1:13 'publishers' is a list"},
      {"publishers:\n  - name: Acme\n", "2:5 'repository' is missing"},
      {publisher + publisher.substr(publisher.find('\n') + 1), "6:5 this publisher is there twice"},
      {publisher + form + form.substr(form.find('\n') + 1), "11:9 this form is there twice"},
      {"publishers:\n  - repository: a/{b}\n    name: A\n    source: s\n    date: 2026-08-01\n",
       "2:17 column 3: no field is called 'b'"},
      {"publishers:\n  - repository: a/b\n    name: A\n    source: s\n    date: August\n",
       "5:11 'August' is no day"},
      {"publishers:\n  - repository: a/b\n    name: A\n    date: 2026-08-01\n",
       "2:5 'source' is missing"},
      {"publishers:\n  - repository: a/b\n    name: A\n    source: s\n", "2:5 'date' is missing"},
      {"publishers:\n  - repository: a/b\n    name: A\n    name: B\n",
       "3:5 the key 'name' is there twice"},
      {publisher + "    forms:\n      - {tag: x, class: fixed, source: s, date: 2026-08-01}\n",
       "7:25 no class of tags is called 'fixed'"},
      {publisher + "    forms:\n      - {tag: x, class: digest, source: s, date: 2026-08-01}\n",
       "7:25 no class of tags is called 'digest'"},
      {publisher + "    forms:\n      - {tag: x, class: rolling, source: s, date: 2026-08-01}\n",
       "7:9 'why' belongs to the classes rolling, named and named-build"},
      {publisher + "    forms:\n      - {tag: x, class: release, retention: r, source: s, date: "
                   "2026-08-01}\n",
       "7:45 no retention is called 'r'"},
      {"retention:\n  - {id: r, keeps: 0, builds_per_day: 1, rule: r, source: s, date: "
       "2026-08-01}\n",
       "2:20 'keeps' is a number from 1 to 1000000"},
  };
  for (const auto& [yaml, expected] : cases) EXPECT_EQ(problem_of(yaml), expected) << yaml;
}

TEST(FactsCatalog, UsersEntriesComeBeforeTheEmbeddedOnes) {
  const text::SourceFile file("facts.yaml",
                              "images:\n"
                              "  publishers:\n"
                              "    - repository: vllm/vllm-openai\n"
                              "      name: Acme's mirror\n"
                              "      engine: vllm\n"
                              "      source: Acme's wiki\n"
                              "      date: 2026-08-01\n"
                              "      forms:\n"
                              "        - tag: kimi-k3\n"
                              "          class: release\n"
                              "          retention: vllm-nightly\n"
                              "          source: Acme's wiki\n"
                              "          date: 2026-08-01\n"
                              "builds:\n"
                              "  builds:\n"
                              "    - {engine: vllm, commit: 1a2b3c4, day: 2026-08-02, basis: "
                              "Acme's log, source: s, date: 2026-08-03}\n");
  const auto catalog = Catalog::with_overrides(file);
  ASSERT_TRUE(catalog) << catalog.error().message;
  const auto& facts = (*catalog)->images();
  EXPECT_EQ(facts.classify("vllm/vllm-openai:kimi-k3").tag_class, TagClass::kRelease);
  EXPECT_EQ(facts.classify("vllm/vllm-openai:kimi-k3").form->retention->keeps, 14);
  EXPECT_EQ(facts.classify("lmsysorg/sglang:dev").tag_class, TagClass::kRolling);
  const auto build = (*catalog)->builds().build_date(facts.classify("vllm/vllm-openai:x-1a2b3c4"));
  EXPECT_EQ(to_string(build), "on 2026-08-02");
}

TEST(FactsCatalog, RefusesOverridesOfUnknownTopics) {
  const text::SourceFile file("facts.yaml", "images: {}\nimage: {}\n");
  const auto catalog = Catalog::with_overrides(file);
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().message, "the key 'image' is not known here");
  EXPECT_EQ(file.position(catalog.error().where.begin).line, 2u);
}

}  // namespace
}  // namespace recipelint::facts
