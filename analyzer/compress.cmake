# cmake -D INPUT=<file> -D OUTPUT=<file>.gz -P compress.cmake: see compress_files() in embed.cmake.
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(ARCHIVE_CREATE OUTPUT ${OUTPUT} PATHS ${INPUT} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ ${OUTPUT} header LIMIT 4 HEX)
if(NOT header STREQUAL "1f8b0800")
  message(FATAL_ERROR "${OUTPUT}: the header is ${header}, and embed.cmake takes one of ten bytes for granted")
endif()
