#include "analyzer/facts/image_reference.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "analyzer/facts/ascii.h"

namespace recipelint::facts {
namespace {

constexpr std::string_view kScheme = "docker://";
constexpr std::size_t kLongestTag = 128;
constexpr std::size_t kLongestName = 255;  // of a repository, and of a host

struct DigestAlgorithm {
  std::string_view prefix;
  std::size_t hex_digits;
};
constexpr std::array kDigestAlgorithms = {DigestAlgorithm{"sha256:", 64},
                                          DigestAlgorithm{"sha512:", 128}};

/// Docker Hub answers to all of these.
constexpr std::string_view kDockerHub = "docker.io";
constexpr std::array<std::string_view, 3> kDockerHubHosts = {kDockerHub, "index.docker.io",
                                                             "registry-1.docker.io"};

const DigestAlgorithm* digest_algorithm(std::string_view text) {
  const auto found = std::find_if(
      kDigestAlgorithms.begin(), kDigestAlgorithms.end(),
      [&](const DigestAlgorithm& algorithm) { return text.starts_with(algorithm.prefix); });
  return found == kDigestAlgorithms.end() ? nullptr : &*found;
}

bool is_separator_of_names(char c) {
  return c == '.' || c == '_' || c == '-';
}
bool is_repository_letter(char c) {
  return is_lower(c) || is_digit(c);
}
bool is_tag_byte(char c) {
  return is_alnum(c) || c == '_' || c == '.' || c == '-';
}

/// Takes a reference apart from left to right. A step that fails leaves error_ set, and the later
/// steps do nothing.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::variant<ImageReference, ImageReferenceError> run() {
    if (text_.empty()) fail("the image reference is empty", 0);
    take_scheme();
    take_user();
    take_registry();
    take_repository();
    take_tag();
    take_digest();
    if (!error_ && at_ < text_.size()) fail("unexpected text after the image reference", at_);
    if (error_) return *std::move(error_);
    return std::move(result_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void fail(std::string message, std::size_t offset) {
    if (!error_) {
      error_ = ImageReferenceError{std::move(message), static_cast<std::uint32_t>(offset)};
    }
  }

  /// The next `size` bytes, which are consumed.
  std::string take(std::size_t size) {
    std::string taken(text_.substr(at_, size));
    at_ += size;
    return taken;
  }

  ByteRange range_to_here(std::size_t begin) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  void take_scheme() {
    if (error_) return;
    if (rest().starts_with(kScheme)) {
      result_.scheme = take(kScheme.size());
    } else if (const auto colon = text_.find("://"); colon != std::string_view::npos) {
      fail("the scheme of an image reference is 'docker://'", 0);
    }
  }

  /// An '@' ends a user only if no other part can have begun before it and no digest follows.
  void take_user() {
    if (error_) return;
    const auto at = rest().find('@');
    if (at == std::string_view::npos) return;
    const auto user = rest().substr(0, at);
    if (user.find_first_of("/#:") != std::string_view::npos) return;
    if (digest_algorithm(rest().substr(at + 1)) != nullptr) return;
    if (user.empty()) return fail("the user before '@' is empty", at_);
    const auto bad = std::find_if(user.begin(), user.end(), [](char c) { return !is_graphic(c); });
    if (bad != user.end()) {
      const auto distance = static_cast<std::size_t>(bad - user.begin());
      return fail("a user name has no such character", at_ + distance);
    }
    result_.user = take(user.size());
    take(1);
  }

  void take_registry() {
    if (error_) return;
    if (const auto hash = rest().find('#'); hash != std::string_view::npos) {
      return take_host(hash, ImageReference::RegistrySeparator::kHash);
    }
    const auto slash = rest().find('/');
    if (slash == std::string_view::npos) return;
    const auto first = rest().substr(0, slash);
    // Docker's rule: a first part that cannot be a folder is a host.
    const bool host = first == "localhost" || first.find_first_of(".:") != std::string_view::npos;
    if (host) take_host(slash, ImageReference::RegistrySeparator::kSlash);
  }

  /// Takes a host of `size` bytes and the separator behind it.
  void take_host(std::size_t size, ImageReference::RegistrySeparator separator) {
    if (size > kLongestName) return fail("a registry host is not that long", at_ + kLongestName);
    const auto host = rest().substr(0, size);
    if (const auto bad = first_bad_host_byte(host)) {
      return fail("not a registry host", at_ + *bad);
    }
    result_.registry = take(size);
    result_.registry_separator = separator;
    take(1);
  }

  /// Names of letters, digits and inner hyphens, joined by dots, then an optional port.
  static std::optional<std::size_t> first_bad_host_byte(std::string_view host) {
    const auto colon = std::min(host.find(':'), host.size());
    bool inside = false;
    for (std::size_t i = 0; i < colon; ++i) {
      const char c = host[i];
      const bool hyphen = c == '-' && inside;
      if (!is_alnum(c) && !hyphen && !(c == '.' && inside && is_alnum(host[i - 1]))) return i;
      inside = c != '.';
    }
    if (colon == 0 || !is_alnum(host[colon - 1])) return colon;
    for (std::size_t i = colon + 1; i < host.size(); ++i) {
      if (!is_digit(host[i])) return i;
    }
    if (colon + 1 == host.size()) return colon;
    return std::nullopt;
  }

  void take_repository() {
    if (error_) return;
    const std::size_t size = std::min(rest().find_first_of(":@"), rest().size());
    const auto repository = rest().substr(0, size);
    if (const auto bad = first_bad_repository_byte(repository)) {
      const std::size_t where = at_ + *bad;
      if (where >= text_.size() || *bad == size) {
        return fail("the name of the repository is missing or incomplete", where);
      }
      if (is_upper(text_[where])) return fail("the name of a repository is lower case", where);
      return fail("the name of a repository has no such character here", where);
    }
    if (size > kLongestName) {
      return fail("the name of a repository has at most 255 characters", at_ + kLongestName);
    }
    result_.repository = take(size);
  }

  /// Parts joined by '/'; a part is lower-case letters and digits joined by '.', '_', '__' or any
  /// number of '-'.
  static std::optional<std::size_t> first_bad_repository_byte(std::string_view name) {
    std::size_t i = 0;
    while (true) {
      const std::size_t begin = i;
      while (i < name.size() && is_repository_letter(name[i])) ++i;
      if (i == begin) return i;
      if (i == name.size()) return std::nullopt;
      if (name[i] == '/') {
        ++i;
        continue;
      }
      const std::size_t separator = i;
      if (!is_separator_of_names(name[i])) return i;
      while (i < name.size() && name[i] == name[separator]) ++i;
      const std::size_t longest = name[separator] == '-'   ? name.size()
                                  : name[separator] == '_' ? 2
                                                           : 1;
      if (i - separator > longest) return separator + longest;
    }
  }

  void take_tag() {
    if (error_ || !next_is(':')) return;
    take(1);
    if (digest_algorithm(rest()) != nullptr) {
      return take_digest_text(ImageReference::DigestPlace::kTagPlace);
    }
    const std::size_t begin = at_;
    std::size_t size = 0;
    while (size < rest().size() && is_tag_byte(rest()[size])) ++size;
    if (size == 0 && (rest().empty() || next_is('@'))) return fail("the tag is empty", at_);
    if (size == 0) return fail("a tag has no such character", at_);
    if (rest()[0] == '.' || rest()[0] == '-')
      return fail("a tag begins with a letter, digit or '_'", at_);
    if (size > kLongestTag) return fail("a tag has at most 128 characters", at_ + kLongestTag);
    result_.tag = take(size);
    result_.tag_range = range_to_here(begin);
    if (at_ < text_.size() && !next_is('@')) fail("a tag has no such character", at_);
  }

  void take_digest() {
    if (error_ || !next_is('@')) return;
    if (!result_.digest.empty()) return fail("the digest is given twice", at_);
    take(1);
    if (digest_algorithm(rest()) == nullptr) {
      return fail("a digest begins with 'sha256:' or 'sha512:'", at_);
    }
    take_digest_text(ImageReference::DigestPlace::kAfterAt);
  }

  void take_digest_text(ImageReference::DigestPlace place) {
    const auto* algorithm = digest_algorithm(rest());
    const std::size_t size = algorithm->prefix.size() + algorithm->hex_digits;
    for (std::size_t i = algorithm->prefix.size(); i < size; ++i) {
      if (i >= rest().size()) return fail("the digest is too short", at_ + i);
      if (!is_lower_hex(rest()[i]))
        return fail("a digest has lower-case hexadecimal digits", at_ + i);
    }
    const std::size_t begin = at_;
    result_.digest = take(size);
    result_.digest_range = range_to_here(begin);
    result_.digest_place = place;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  ImageReference result_;
  std::optional<ImageReferenceError> error_;
};

/// Hosts are compared without case, as the name service does.
std::string canonical_registry(const ImageReference& reference) {
  std::string host = reference.registry;
  std::transform(host.begin(), host.end(), host.begin(), to_lower);
  const bool hub = host.empty() || std::find(kDockerHubHosts.begin(), kDockerHubHosts.end(),
                                             host) != kDockerHubHosts.end();
  return hub ? std::string(kDockerHub) : host;
}

}  // namespace

std::variant<ImageReference, ImageReferenceError> parse_image_reference(std::string_view text) {
  return Parser(text).run();
}

std::string repository_as_written(const ImageReference& reference) {
  std::string text = reference.scheme;
  if (!reference.user.empty()) text += reference.user + '@';
  if (!reference.registry.empty()) {
    const bool hash = reference.registry_separator == ImageReference::RegistrySeparator::kHash;
    text += reference.registry + (hash ? '#' : '/');
  }
  return text + reference.repository;
}

std::string to_string(const ImageReference& reference) {
  std::string text = repository_as_written(reference);
  if (!reference.tag.empty()) text += ':' + reference.tag;
  if (reference.digest.empty()) return text;
  const bool in_tag_place = reference.digest_place == ImageReference::DigestPlace::kTagPlace;
  return text + (in_tag_place ? ':' : '@') + reference.digest;
}

std::string canonical_repository(const ImageReference& reference) {
  const std::string registry = canonical_registry(reference);
  const bool official =
      registry == kDockerHub && reference.repository.find('/') == std::string::npos;
  return registry + (official ? "/library/" : "/") + reference.repository;
}

std::string canonical_image(const ImageReference& reference) {
  std::string text = canonical_repository(reference);
  if (!reference.tag.empty()) text += ':' + reference.tag;
  if (!reference.digest.empty()) text += '@' + reference.digest;
  if (reference.tag.empty() && reference.digest.empty()) text += ":latest";
  return text;
}

std::string pinned_to(const ImageReference& reference, std::string_view digest) {
  return repository_as_written(reference) + '@' + std::string(digest);
}

std::string retagged_as(const ImageReference& reference, std::string_view tag) {
  return repository_as_written(reference) + ':' + std::string(tag);
}

}  // namespace recipelint::facts
