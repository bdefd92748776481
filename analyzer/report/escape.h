#pragma once

#include <string>
#include <string_view>

namespace recipelint::report {

/// A path as a relative URI reference: everything but unreserved characters and '/'
/// percent-encoded.
std::string path_to_uri(std::string_view path);

/// Text that Markdown and HTML show as it is; control characters are made visible.
std::string markdown_text(std::string_view bytes);

/// Text for a plain SARIF message: nothing in it reads as a placeholder or an embedded link.
std::string sarif_text(std::string_view bytes);
/// Text for the link text of an embedded link of a plain SARIF message.
std::string sarif_link_text(std::string_view bytes);

/// A value of a property, and the message, of a GitHub workflow command.
std::string github_property(std::string_view bytes);
std::string github_message(std::string_view bytes);

/// Text for XML 1.0, in attributes as well as in content.
std::string xml_text(std::string_view bytes);

}  // namespace recipelint::report
