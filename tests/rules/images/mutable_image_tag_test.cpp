#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/images/images.h"
#include "tests/rules/images/image_rules_test.h"

namespace recipelint::rules {
namespace {

using ::testing::ElementsAre;
using testing::ImageLines;
using ::testing::IsEmpty;
using testing::messages;
using ::testing::SizeIs;

const std::string kDigest =
    "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(MutableImageTag, SaysWhyATagCanMove) {
  ImageLines images;
  images.file("configs/x-master.yaml",
              {"vllm/vllm-openai:nightly", "vllm/vllm-openai:kimi-k3", "lmsysorg/sglang:dev-cu13",
               "lmsysorg/sglang:dev-nightly-0820", "acme/engine:main", "acme/engine:experiment"});
  EXPECT_THAT(
      messages(images.run(mutable_image_tag())),
      ElementsAre(
          "warning: The tag 'nightly' of 'vllm/vllm-openai' is mutable: every nightly build moves "
          "it.",
          "warning: The tag 'kimi-k3' of 'vllm/vllm-openai' is mutable: it was pushed by hand "
          "under "
          "a name without a version, and the name can be pushed again.",
          "warning: The tag 'dev-cu13' of 'lmsysorg/sglang' is mutable: it is rebuilt every day.",
          "warning: The tag 'dev-nightly-0820' of 'lmsysorg/sglang' is mutable: it carries no "
          "version, and its workflow overwrites a tag of the same name.",
          "warning: The tag 'main' of 'acme/engine' is mutable: its name says that it follows a "
          "branch or a channel.",
          "warning: The tag 'experiment' of 'acme/engine' is mutable: it has neither version nor "
          "date nor commit, and the name can be pushed again."));
}

TEST(MutableImageTag, NotesHandMadeTagsThatNameTheirBuild) {
  ImageLines images;
  images.file("x-master.yaml",
              {"nvcr.io#acme/engine:feature-x-1a2b3c4", "rocm/atom-dev:Model-X-20260623"});
  EXPECT_THAT(
      messages(images.run(mutable_image_tag())),
      ElementsAre("note: The tag 'feature-x-1a2b3c4' of 'nvcr.io#acme/engine' names the commit "
                  "'1a2b3c4' but is not fixed: it was named by hand, and nothing keeps its name "
                  "from being pushed again.",
                  "note: The tag 'Model-X-20260623' of 'rocm/atom-dev' names the day 2026-06-23 "
                  "but is not fixed: it was built with a tag chosen by hand, which a later build "
                  "can use again."));
}

TEST(MutableImageTag, ReportsMissingTagsAndPlaceholders) {
  ImageLines images;
  images.file("x-master.yaml", {"lmsysorg/sglang", "vllm/vllm-openai:<tag>", "TBD", ""});
  EXPECT_THAT(
      messages(images.run(mutable_image_tag())),
      ElementsAre("warning: The image 'lmsysorg/sglang' has no tag: the registry takes 'latest', "
                  "which moves with every push.",
                  "error: The image 'vllm/vllm-openai:<tag>' is a placeholder: no registry can "
                  "serve it.",
                  "error: The image 'TBD' is a placeholder: no registry can serve it.",
                  "error: The image is empty: there is nothing to pull."));
}

TEST(MutableImageTag, IsSilentOnWhatIsFixedOrUnknown) {
  ImageLines images;
  images.file(
      "x-master.yaml",
      {"vllm/vllm-openai:v0.27.1", "lmsysorg/sglang:v0.5.17-cu130",
       "vllm/vllm-openai:kimi-k3" + kDigest, "nvcr.io#acme/engine:" + kDigest.substr(1),
       "nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc24",
       "nvcr.io#nvidia/ai-dynamo/vllm-runtime:1.3.0-model-x-dev.1",
       "rocm/atom-dev:nightly_202606101403", "lmsysorg/sglang-rocm:v0.5.16-rocm720-mi35x-20260730",
       "lmsysorg/sglang:nightly-dev-cu13-20260805-211ee642", "${IMAGE}", "/images/engine.sqsh",
       "Not An Image"});
  images.file("recipes/a.yaml", {"dynamo-sglang", "v0.5.11"}, ImageLines::Kind::kRecipeContainer);
  EXPECT_THAT(images.run(mutable_image_tag()), IsEmpty());
}

TEST(MutableImageTag, UnderlinesTheTagOnly) {
  ImageLines images;
  images.file("x-master.yaml", {"docker://nvcr.io#acme/engine:latest", "acme/engine"});
  const auto& found = images.run(mutable_image_tag());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].primary.bytes(), "latest");
  EXPECT_EQ(found[1].primary.bytes(), "acme/engine");
}

// Offsets in the text do not carry over to a file that spells it with escapes.
TEST(MutableImageTag, UnderlinesTheWholeReferenceIfTheFileSpellsItOtherwise) {
  const text::SourceFile file("x-master.yaml", "acme/engine:\\x6catest\n");
  layout::ImageUse use;
  use.reference = "acme/engine:latest";
  use.span = file.line(1);
  ImageLines images;
  const auto& found = images.use(use).run(mutable_image_tag());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].primary, file.line(1));
}

TEST(MutableImageTag, ReportsAnImageOncePerFile) {
  ImageLines images;
  images.file("b-master.yaml",
              {"acme/engine:latest", "acme/engine:v1.0", "docker.io#acme/engine:latest"});
  images.file("a-master.yaml", {"acme/engine:latest"});
  images.file("c.yaml", {"acme/engine:latest", "acme/engine:latest"}, ImageLines::Kind::kSetting);
  const auto& found = images.run(mutable_image_tag());
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].primary.file->path(), "a-master.yaml");
  EXPECT_EQ(found[1].primary.file->path(), "b-master.yaml");
  EXPECT_THAT(found[1].cells, ElementsAre("key-1", "key-3"));
  ASSERT_THAT(found[1].related, SizeIs(1));
  EXPECT_EQ(found[1].related[0].label, "the same image, for 'key-3'");
  EXPECT_EQ(found[1].related[0].span.bytes(), "latest");
  EXPECT_EQ(found[1].identity, "docker.io/acme/engine:latest");
  EXPECT_EQ(found[2].related[0].label, "the same image in PREFILL_IMAGE, for 'key-2'");
}

TEST(MutableImageTag, OffersADigestThenARelease) {
  ImageLines images;
  images.file("x-master.yaml", {"docker://docker.io#vllm/vllm-openai:kimi-k3",
                                "acme/engine:experiment", "rocm/vllm-dev:nightly", "TBD"});
  const auto& found = images.run(mutable_image_tag());
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_THAT(
      found[0].remedies,
      ElementsAre(
          "Pin the content that was measured: "
          "'docker://docker.io#vllm/vllm-openai@sha256:<digest>' ('docker buildx imagetools "
          "inspect docker.io/vllm/vllm-openai:kimi-k3' prints the digest).",
          "Use a release of the vLLM project: "
          "'docker://docker.io#vllm/vllm-openai:v<version>'."));
  EXPECT_EQ(found[1].remedies[1],
            "Push it under a name that is used once, such as a version: 'acme/engine:<version>'.");
  EXPECT_EQ(found[2].remedies[1], "Use a release of AMD: 'vllm/vllm-openai-rocm:v<version>'.");
  EXPECT_THAT(found[3].remedies, ElementsAre("Write the image that is meant, by its digest "
                                             "('<repository>@sha256:<digest>') or by a version "
                                             "('<repository>:<version>')."));
  EXPECT_THAT(found[0].facts,
              ElementsAre("'{any}' of docker.io/vllm/vllm-openai: named (tags in use; no release "
                          "or nightly script of vllm-project/vllm writes them, 2026-08-22)"));
}

TEST(MutableImageTag, DemandsADigestIfTheConfigurationDoes) {
  ImageLines images;
  images.file("x-master.yaml", {"vllm/vllm-openai:v0.27.1", "vllm/vllm-openai:v0.27.1" + kDigest,
                                "acme/engine:latest", "${IMAGE}"});
  RuleOptions options;
  options.image_pinning = RuleOptions::ImagePinning::kDigest;
  const auto& found = images.run(mutable_image_tag(), options);
  EXPECT_THAT(messages(found),
              ElementsAre("warning: The image 'vllm/vllm-openai:v0.27.1' has no digest, and the "
                          "configuration demands one ('immutable: digest').",
                          "warning: The tag 'latest' of 'acme/engine' is mutable: its name says "
                          "that it moves."));
  EXPECT_THAT(found[0].remedies, SizeIs(1)) << "another release would not pass either";
  EXPECT_THAT(found[1].remedies, SizeIs(1));
}

}  // namespace
}  // namespace recipelint::rules
