# The libraries of a build for the browser. Headers alone are those of the distribution's packages, and what must be
# compiled comes from their source packages (src/app/web/take_sources). Other folders name the same targets as ever.
set(TILEWALK_WEB_SOURCES ${PROJECT_BINARY_DIR}/sources CACHE PATH "Where take_sources has put source packages")
foreach(name giflib imgui libpng1.6 md4c zlib)
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
set(deflate adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c)
list(TRANSFORM deflate PREPEND ${zlib_folder}/)
add_library(web_zlib STATIC ${deflate})
target_include_directories(web_zlib SYSTEM PUBLIC ${zlib_folder})
add_library(ZLIB::ZLIB ALIAS web_zlib)
add_library(PkgConfig::ZLIB ALIAS web_zlib)

# What the window is made with. libpng as its authors configure it; Dear ImGui's GLES 3 back end, wide indices.
configure_file(${libpng1.6_folder}/scripts/pnglibconf.h.prebuilt ${PROJECT_BINARY_DIR}/png/pnglibconf.h COPYONLY)
set(png png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c
        pngwio.c pngwrite.c pngwtran.c pngwutil.c)
list(TRANSFORM png PREPEND ${libpng1.6_folder}/)
add_library(web_png STATIC EXCLUDE_FROM_ALL ${png})
target_include_directories(web_png SYSTEM PUBLIC ${libpng1.6_folder} ${PROJECT_BINARY_DIR}/png)
target_link_libraries(web_png PUBLIC web_zlib)
target_compile_options(web_png PRIVATE -fwasm-exceptions)  # its long jumps, as the exceptions of all else
add_library(PkgConfig::PNG ALIAS web_png)
set(gif egif_lib.c gif_err.c gif_hash.c gifalloc.c openbsd-reallocarray.c quantize.c)
list(TRANSFORM gif PREPEND ${giflib_folder}/)
add_library(web_gif STATIC EXCLUDE_FROM_ALL ${gif})
target_include_directories(web_gif SYSTEM PUBLIC ${giflib_folder})
add_library(GIF::GIF ALIAS web_gif)
set(imgui imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp backends/imgui_impl_opengl3.cpp)
list(TRANSFORM imgui PREPEND ${imgui_folder}/)
add_library(web_imgui STATIC EXCLUDE_FROM_ALL ${imgui})
target_include_directories(web_imgui SYSTEM PUBLIC ${imgui_folder})
target_compile_definitions(web_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 "ImDrawIdx=unsigned int")
add_library(PkgConfig::IMGUI ALIAS web_imgui)

# Vectors of 16 bytes, and exceptions as the engine's own: Chromium 95, Firefox 100, Safari 16.4, Node 17 and later. The
# page asks for Chromium 97 and Firefox 102, where its policy can allow WebAssembly alone.
# Straight code is not turned into vectors: where room_of (ui/layout.cpp) widens floats in pairs, clang 14 mixed up
# lanes. Kernels and loops have vectors all the same.
add_compile_options(-fno-slp-vectorize -msimd128 -mnontrapping-fptoint $<$<COMPILE_LANGUAGE:CXX>:-fwasm-exceptions>
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/src/app/web/missing_std.h>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem ${web_headers}>")
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:FMT_HEADER_ONLY>)
add_link_options(-fwasm-exceptions)
