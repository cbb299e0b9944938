# The libraries of a build for the browser. Headers alone are those of the distribution's packages, and what must be
# compiled comes from their source packages (src/app/web/take_sources). Other folders name the same targets as ever.
set(TILEWALK_WEB_SOURCES ${PROJECT_BINARY_DIR}/sources CACHE PATH "Where take_sources has put source packages")
foreach(name md4c zlib)
  file(GLOB ${name}_folder ${TILEWALK_WEB_SOURCES}/${name})
  if(NOT ${name}_folder)
    message(FATAL_ERROR "The source package ${name} is not in ${TILEWALK_WEB_SOURCES}: ./run web brings it there")
  endif()
endforeach()
enable_language(C)

# Not all of /usr/include, which has another C library's headers.
set(web_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${web_headers})
foreach(folder CLI fmt hwy nlohmann toml++)
  if(NOT EXISTS /usr/include/${folder})
    message(FATAL_ERROR "No /usr/include/${folder}: ./run web installs what has it")
  endif()
  file(CREATE_LINK /usr/include/${folder} ${web_headers}/${folder} SYMBOLIC)
endforeach()
foreach(target CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus PkgConfig::HWY)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${web_headers})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

add_library(web_md4c STATIC ${md4c_folder}/src/md4c.c)
target_include_directories(web_md4c SYSTEM PUBLIC ${md4c_folder}/src)
add_library(PkgConfig::MD4C ALIAS web_md4c)
set(inflate adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c)
list(TRANSFORM inflate PREPEND ${zlib_folder}/)
add_library(web_zlib STATIC ${inflate})
target_include_directories(web_zlib SYSTEM PUBLIC ${zlib_folder})
add_library(ZLIB::ZLIB ALIAS web_zlib)

# Vectors of 16 bytes, and exceptions as the engine's own: Chromium 95, Firefox 100, Safari 16.4, Node 17 and later.
add_compile_options(-msimd128 -mnontrapping-fptoint $<$<COMPILE_LANGUAGE:CXX>:-fwasm-exceptions>
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/src/app/web/missing_std.h>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${web_headers}>")
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:FMT_HEADER_ONLY>)
add_link_options(-fwasm-exceptions)
