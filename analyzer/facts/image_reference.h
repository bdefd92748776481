#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace recipelint::facts {

/// A half-open range of bytes [begin, end) of a text.
struct ByteRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin == end; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// A container image reference in the spelling of Docker or of enroot:
///
///     [docker://][USER@][REGISTRY(/|#)]REPOSITORY[:TAG][@DIGEST]
///     [docker://][USER@][REGISTRY(/|#)]REPOSITORY:DIGEST            (enroot)
///
/// The parts are kept as written; what was not written is empty.
struct ImageReference {
  enum class RegistrySeparator : std::uint8_t { kSlash, kHash };
  /// Where the digest stands: after '@', or (enroot) in the place of the tag.
  enum class DigestPlace : std::uint8_t { kAfterAt, kTagPlace };

  std::string scheme;  // "docker://"
  std::string user;    // without its '@'
  std::string registry;
  RegistrySeparator registry_separator = RegistrySeparator::kSlash;
  std::string repository;  // "vllm/vllm-openai"
  std::string tag;
  std::string digest;  // "sha256:" and 64 hexadecimal digits
  DigestPlace digest_place = DigestPlace::kAfterAt;

  /// Where the tag and the digest stand in the parsed text; empty if they are missing.
  ByteRange tag_range;
  ByteRange digest_range;

  friend bool operator==(const ImageReference&, const ImageReference&) = default;
};

/// Why a text is no image reference, and the offset of the first byte that cannot belong to one
/// (the size of the text if something is missing at its end).
struct ImageReferenceError {
  std::string message;
  std::uint32_t offset = 0;

  friend bool operator==(const ImageReferenceError&, const ImageReferenceError&) = default;
};

std::variant<ImageReference, ImageReferenceError> parse_image_reference(std::string_view text);

/// The bytes it was parsed from.
std::string to_string(const ImageReference& reference);

/// Everything before tag and digest, as written: "docker://nvcr.io#nvidia/x".
std::string repository_as_written(const ImageReference& reference);

/// The repository in the one spelling in which repositories are compared: the registry spelled out
/// and followed by '/', Docker Hub as "docker.io" with "library/" before a name without a folder.
std::string canonical_repository(const ImageReference& reference);
/// The whole reference in the spelling in which images are compared: no scheme and no user, the
/// canonical repository, the digest after '@', and the tag that a registry assumes ("latest") if
/// neither tag nor digest is written.
std::string canonical_image(const ImageReference& reference);

/// The reference with this digest instead of tag and digest, otherwise spelled as it is:
/// "nvcr.io#nvidia/x:1.0" and "sha256:<digest>" give "nvcr.io#nvidia/x@sha256:<digest>".
std::string pinned_to(const ImageReference& reference, std::string_view digest);
/// The reference with this tag instead of tag and digest.
std::string retagged_as(const ImageReference& reference, std::string_view tag);

}  // namespace recipelint::facts
