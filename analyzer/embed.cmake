# embed_files(<out variable> <namespace> <name> <files...>)
#
# Writes an assembly file that includes the bytes of each file, and a C++ file with
#   std::string_view embedded_<name>(std::string_view file_name)
# that gives them ("" for an unknown name). The out variable receives the sources to compile. The
# function is declared where it is used from; see facts/embedded.cpp and rules/pages.h. Of files that end
# in .gz the bytes behind the header are taken, which holds a time, under the name without .gz: raw deflate, then
# the CRC and the size of the content, each as four bytes, the lowest first (RFC 1952).
#
# compress_files(<out variable> <folder> <files...>)
#
# Compresses each file when it changes. The out variable receives the results: <folder>/<name>.gz.
enable_language(ASM)

function(compress_files out folder)
  set(script ${PROJECT_SOURCE_DIR}/analyzer/compress.cmake)
  set(results "")
  foreach(file ${ARGN})
    get_filename_component(file_name ${file} NAME)
    set(result ${folder}/${file_name}.gz)
    add_custom_command(OUTPUT ${result}
      COMMAND ${CMAKE_COMMAND} -D INPUT=${file} -D OUTPUT=${result} -P ${script}
      DEPENDS ${file} ${script} VERBATIM)
    list(APPEND results ${result})
  endforeach()
  set(${out} ${results} PARENT_SCOPE)
endfunction()

function(embed_files out namespace name)
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.S)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  set(assembly_text "    .section .rodata\n")
  set(declarations "")
  set(table "")
  set(index 0)
  foreach(file ${ARGN})
    get_filename_component(file_name ${file} NAME)
    set(skipped 0)
    if(file_name MATCHES "\\.gz$")
      string(REGEX REPLACE "\\.gz$" "" file_name ${file_name})
      set(skipped 10)
    endif()
    set(symbol recipelint_embedded_${name}_${index})
    string(APPEND assembly_text
      "    .global ${symbol}_begin\n    .global ${symbol}_end\n"
      "${symbol}_begin:\n    .incbin \"${file}\", ${skipped}\n${symbol}_end:\n    .byte 0\n")
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
