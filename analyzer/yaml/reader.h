#pragma once

#include <string>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/builder.h"

namespace recipelint::yaml {

/// Reads the only document of `file` into `builder`, texts that differ from the bytes of the file
/// into `decoded`. Throws Failure.
void read_document(const text::SourceFile& file, std::string& decoded, Builder& builder);

}  // namespace recipelint::yaml
