#include "analyzer/facts/image_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <variant>
#include <vector>

namespace recipelint::facts {
namespace {

using Separator = ImageReference::RegistrySeparator;
using Place = ImageReference::DigestPlace;

const std::string kSha256 =
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kSha512 = "sha512:" + std::string(128, 'a');

ImageReference parsed(const std::string& text) {
  const auto result = parse_image_reference(text);
  const auto* reference = std::get_if<ImageReference>(&result);
  EXPECT_NE(reference, nullptr) << text << ": " << std::get<ImageReferenceError>(result).message;
  return reference == nullptr ? ImageReference{} : *reference;
}

struct Parts {
  std::string text;
  std::string scheme, user, registry;
  Separator separator;
  std::string repository, tag, digest;
};

TEST(ImageReference, TakesEveryPartApart) {
  const std::vector<Parts> cases = {
      {"ubuntu", "", "", "", Separator::kSlash, "ubuntu", "", ""},
      {"ubuntu:24.04", "", "", "", Separator::kSlash, "ubuntu", "24.04", ""},
      {"acme/engine", "", "", "", Separator::kSlash, "acme/engine", "", ""},
      {"acme/engine:v1.2.3-cu130", "", "", "", Separator::kSlash, "acme/engine", "v1.2.3-cu130",
       ""},
      {"a/b/c/d:x", "", "", "", Separator::kSlash, "a/b/c/d", "x", ""},
      {"nvcr.io/acme/engine:1.0", "", "", "nvcr.io", Separator::kSlash, "acme/engine", "1.0", ""},
      {"nvcr.io#acme/engine:1.0", "", "", "nvcr.io", Separator::kHash, "acme/engine", "1.0", ""},
      {"localhost/engine", "", "", "localhost", Separator::kSlash, "engine", "", ""},
      {"localhost:5000/engine:1", "", "", "localhost:5000", Separator::kSlash, "engine", "1", ""},
      {"cache#engine", "", "", "cache", Separator::kHash, "engine", "", ""},
      {"10.0.0.7:5000#acme/engine", "", "", "10.0.0.7:5000", Separator::kHash, "acme/engine", "",
       ""},
      {"docker://ubuntu", "docker://", "", "", Separator::kSlash, "ubuntu", "", ""},
      {"docker://$oauthtoken@nvcr.io#acme/engine:1", "docker://", "$oauthtoken", "nvcr.io",
       Separator::kHash, "acme/engine", "1", ""},
      {"me@acme/engine", "", "me", "", Separator::kSlash, "acme/engine", "", ""},
      {"me@acme/engine:1@" + kSha256, "", "me", "", Separator::kSlash, "acme/engine", "1", kSha256},
      {"acme/engine@" + kSha256, "", "", "", Separator::kSlash, "acme/engine", "", kSha256},
      {"engine@" + kSha256, "", "", "", Separator::kSlash, "engine", "", kSha256},
      {"acme/engine:1@" + kSha512, "", "", "", Separator::kSlash, "acme/engine", "1", kSha512},
      {"docker://registry-1.docker.io#acme/engine:" + kSha256, "docker://", "",
       "registry-1.docker.io", Separator::kHash, "acme/engine", "", kSha256},
      {"acme/a__b.c-d---e_f:_x", "", "", "", Separator::kSlash, "acme/a__b.c-d---e_f", "_x", ""},
  };
  for (const auto& expected : cases) {
    const auto reference = parsed(expected.text);
    EXPECT_EQ(reference.scheme, expected.scheme) << expected.text;
    EXPECT_EQ(reference.user, expected.user) << expected.text;
    EXPECT_EQ(reference.registry, expected.registry) << expected.text;
    EXPECT_EQ(reference.registry_separator, expected.separator) << expected.text;
    EXPECT_EQ(reference.repository, expected.repository) << expected.text;
    EXPECT_EQ(reference.tag, expected.tag) << expected.text;
    EXPECT_EQ(reference.digest, expected.digest) << expected.text;
    EXPECT_EQ(to_string(reference), expected.text);
  }
}

TEST(ImageReference, KnowsWhereTagAndDigestStand) {
  const std::string text = "docker://nvcr.io#acme/engine:v1.0@" + kSha256;
  const auto reference = parsed(text);
  const auto tag = reference.tag_range;
  EXPECT_EQ(text.substr(tag.begin, tag.end - tag.begin), "v1.0");
  const auto digest = reference.digest_range;
  EXPECT_EQ(text.substr(digest.begin, digest.end - digest.begin), kSha256);
  EXPECT_EQ(reference.digest_place, Place::kAfterAt);
  EXPECT_TRUE(parsed("acme/engine").tag_range.empty());
}

TEST(ImageReference, KnowsADigestInThePlaceOfTheTag) {
  const std::string text = "nvcr.io#acme/engine:" + kSha256;
  const auto reference = parsed(text);
  EXPECT_EQ(reference.digest_place, Place::kTagPlace);
  EXPECT_EQ(reference.digest_range.begin, 20u);
  EXPECT_TRUE(reference.tag_range.empty());
  EXPECT_EQ(to_string(reference), text);
}

TEST(ImageReference, NamesTheByteThatIsWrong) {
  struct Case {
    std::string text;
    std::uint32_t offset;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", 0, "the image reference is empty"},
      {"docker://", 9, "the name of the repository is missing or incomplete"},
      {"dockerd://acme/engine", 0, "the scheme of an image reference is 'docker://'"},
      {"Acme/engine", 0, "the name of a repository is lower case"},
      {"acme/Engine:1", 5, "the name of a repository is lower case"},
      {"acme//engine", 5, "the name of a repository has no such character here"},
      {"/images/engine.sqsh", 0, "the name of a repository has no such character here"},
      {"acme/", 5, "the name of the repository is missing or incomplete"},
      {"acme/engine-", 12, "the name of the repository is missing or incomplete"},
      {"acme/a..b", 7, "the name of a repository has no such character here"},
      {"acme/a___b", 8, "the name of a repository has no such character here"},
      {"acme/engine:", 12, "the tag is empty"},
      {"acme/engine:@" + kSha256, 12, "the tag is empty"},
      {"acme/engine:-x", 12, "a tag begins with a letter, digit or '_'"},
      {"acme/engine:<tag>", 12, "a tag has no such character"},
      {"acme/engine:v1 beta", 14, "a tag has no such character"},
      {"acme/engine:v1:v2", 14, "a tag has no such character"},
      {"acme/engine:${TAG}", 12, "a tag has no such character"},
      {"acme/engine:" + std::string(129, 'a'), 140, "a tag has at most 128 characters"},
      {"acme/engine@v1", 12, "a digest begins with 'sha256:' or 'sha512:'"},
      {"acme/engine@sha256:abc", 22, "the digest is too short"},
      {"acme/engine@sha256:abcXef", 22, "a digest has lower-case hexadecimal digits"},
      {"acme/engine@" + kSha256 + "0", 83, "unexpected text after the image reference"},
      {"acme/engine:" + kSha256 + "@" + kSha256, 83, "the digest is given twice"},
      {"nvcr.io##engine", 8, "the name of a repository has no such character here"},
      {"#engine", 0, "not a registry host"},
      {"nvcr..io/engine", 5, "not a registry host"},
      {"nvcr.io:/engine", 7, "not a registry host"},
      {"nvcr.io:80a/engine", 10, "not a registry host"},
      {"-nvcr.io/engine", 0, "not a registry host"},
      {"@engine", 0, "the user before '@' is empty"},
      {"m e@engine", 1, "a user name has no such character"},
      {std::string(256, 'a'), 255, "the name of a repository has at most 255 characters"},
      {std::string(256, 'a') + "#b", 255, "a registry host is not that long"},
      {"<image>", 0, "the name of a repository has no such character here"},
  };
  for (const auto& expected : cases) {
    const auto result = parse_image_reference(expected.text);
    const auto* error = std::get_if<ImageReferenceError>(&result);
    ASSERT_NE(error, nullptr) << expected.text;
    EXPECT_EQ(error->offset, expected.offset) << expected.text;
    EXPECT_EQ(error->message, expected.message) << expected.text;
  }
}

TEST(ImageReference, ComparesSpellingsOfOneImage) {
  const std::vector<std::vector<std::string>> same = {
      {"nvcr.io/acme/engine:1", "nvcr.io#acme/engine:1", "docker://me@nvcr.io#acme/engine:1",
       "NVCR.io/acme/engine:1"},
      {"acme/engine:1", "docker.io/acme/engine:1", "registry-1.docker.io#acme/engine:1",
       "index.docker.io/acme/engine:1"},
      {"ubuntu", "ubuntu:latest", "docker.io/library/ubuntu:latest", "library/ubuntu"},
      {"acme/engine@" + kSha256, "docker://docker.io#acme/engine:" + kSha256},
  };
  for (const auto& group : same) {
    for (const auto& text : group) {
      EXPECT_EQ(canonical_image(parsed(text)), canonical_image(parsed(group.front()))) << text;
    }
  }
  EXPECT_NE(canonical_image(parsed("nvcr.io/acme/engine:1")),
            canonical_image(parsed("acme/engine:1")));
  EXPECT_NE(canonical_image(parsed("acme/engine:1")), canonical_image(parsed("acme/engine:2")));
  EXPECT_EQ(canonical_repository(parsed("nvcr.io#acme/engine:1")), "nvcr.io/acme/engine");
}

TEST(ImageReference, KeepsTheSpellingWhenItIsPinnedOrRetagged) {
  const auto reference = parsed("docker://nvcr.io#acme/engine:latest");
  EXPECT_EQ(pinned_to(reference, "sha256:<digest>"),
            "docker://nvcr.io#acme/engine@sha256:<digest>");
  EXPECT_EQ(retagged_as(reference, "1.0"), "docker://nvcr.io#acme/engine:1.0");
}

// Random text over the characters that matter: whatever parses must give its own bytes back, and
// whatever does not must name a place inside the text.
TEST(ImageReference, RandomTextRoundTripsOrFailsInsideItself) {
  std::mt19937 random(20260822);
  const std::vector<std::string> pieces = {"docker://", "me@",
                                           "nvcr.io",   "localhost",
                                           ":",         ":5000",
                                           "/",         "#",
                                           "@",         "acme",
                                           "engine",    "v1.0",
                                           "latest",    "-",
                                           "__",        ".",
                                           kSha256,     "..",
                                           "sha256:",   "A",
                                           " ",         "\n",
                                           "\xff",      "<x>",
                                           "${T}",      std::string("\0", 1)};
  std::uniform_int_distribution<std::size_t> piece(0, pieces.size() - 1);
  std::uniform_int_distribution<int> length(0, 9);
  int round_trips = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = length(random); i > 0; --i) text += pieces[piece(random)];
    const auto result = parse_image_reference(text);
    if (const auto* reference = std::get_if<ImageReference>(&result)) {
      ++round_trips;
      ASSERT_EQ(to_string(*reference), text);
    } else {
      ASSERT_LE(std::get<ImageReferenceError>(result).offset, text.size());
    }
  }
  EXPECT_GT(round_trips, 200);
}

}  // namespace
}  // namespace recipelint::facts
