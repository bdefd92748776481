# embed_files(<out variable> <namespace> <name> <files...>)
#
# Writes an assembly file that includes the bytes of each file, and a C++ file with
#   std::string_view embedded_<name>(std::string_view file_name)
# that gives them ("" for an unknown name). The out variable receives the sources to compile. The
# function is declared where it is used from; see facts/embedded.h and rules/pages.h.
enable_language(ASM)

function(embed_files out namespace name)
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.S)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  set(assembly_text "    .section .rodata\n")
  set(declarations "")
  set(table "")
  set(index 0)
  foreach(file ${ARGN})
    get_filename_component(file_name ${file} NAME)
    set(symbol recipelint_embedded_${name}_${index})
    string(APPEND assembly_text
      "    .global ${symbol}_begin\n    .global ${symbol}_end\n"
      "${symbol}_begin:\n    .incbin \"${file}\"\n${symbol}_end:\n    .byte 0\n")
    string(APPEND declarations "extern const char ${symbol}_begin[];\nextern const char ${symbol}_end[];\n")
    string(APPEND table
      "  if (file_name == \"${file_name}\") {\n"
      "    return {${symbol}_begin, static_cast<std::size_t>(${symbol}_end - ${symbol}_begin)};\n  }\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly_text "    .section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${assembly} CONTENT "${assembly_text}" @ONLY)
  file(CONFIGURE OUTPUT ${source} CONTENT
"#include <cstddef>
#include <string_view>

extern \"C\" {
${declarations}}

namespace ${namespace} {

std::string_view embedded_${name}(std::string_view file_name);

std::string_view embedded_${name}([[maybe_unused]] std::string_view file_name) {
${table}  return {};
}

}  // namespace ${namespace}
" @ONLY)
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS "${ARGN}")
  set(${out} ${assembly} ${source} PARENT_SCOPE)
endfunction()
