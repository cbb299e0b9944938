# Two programs. The text verbs for Node, on the machine's own files: proof that WebAssembly computes the same bits.
set(web_folder ${PROJECT_SOURCE_DIR}/build/web)
set_target_properties(tilewalk PROPERTIES OUTPUT_NAME tilewalk_cli RUNTIME_OUTPUT_DIRECTORY ${web_folder})
target_sources(tilewalk PRIVATE jobs/file_on_disk.cpp web/exact_fmaf.cpp web/web_worker.cpp)
target_link_options(tilewalk PRIVATE -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1
  "SHELL:--pre-js ${CMAKE_CURRENT_SOURCE_DIR}/web/node.js")
set_property(TARGET tilewalk APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/web/node.js)

# And the window for a page, with what it reads in one bundle.
tilewalk_library(tilewalk_window
  web/web_kept.cpp
  web/web_mirror.cpp
  web/web_window.cpp
  window/film_cursors.cpp
  window/frame_loop.cpp
  window/kept_files.cpp
  window/frame_painter.cpp
  window/picture_export.cpp
  window/screen.cpp
  window/state_json.cpp)
target_link_libraries(tilewalk_window PUBLIC tilewalk_cli tilewalk_ui tilewalk_render PRIVATE fmt::fmt)
add_executable(tilewalk_page cli/verbs.cpp web/exact_fmaf.cpp web/fetched_file.cpp web/no_bench.cpp web/no_render.cpp
                             web/page_main.cpp web/web_worker.cpp window/window_verb.cpp)
target_link_libraries(tilewalk_page PRIVATE tilewalk_window fmt::fmt)
tilewalk_warnings(tilewalk_page)
set_target_properties(tilewalk_page PROPERTIES OUTPUT_NAME tilewalk RUNTIME_OUTPUT_DIRECTORY ${web_folder})
target_link_options(tilewalk_page PRIVATE -sENVIRONMENT=web -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB
  -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=4MB -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sEXPORTED_RUNTIME_METHODS=ccall
  -sFORCE_FILESYSTEM=1 -sEXPORTED_FUNCTIONS=_main,_malloc)

# The bundle: assets but the recordings, which are fetched one by one, and the fonts of this machine.
foreach(folder assets/dispatch assets/lab assets/lessons assets/measurements assets/presets assets/questions shaders)
  list(APPEND bundle ${PROJECT_SOURCE_DIR}/${folder}@/tilewalk/${folder})
endforeach()
file(GLOB kernels RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu)
foreach(file IN LISTS kernels)
  list(APPEND bundle ${PROJECT_SOURCE_DIR}/${file}@/tilewalk/${file})
endforeach()
set(fonts /usr/share/fonts)
foreach(name opentype/inter/Inter-Regular.otf opentype/inter/Inter-Medium.otf opentype/inter/Inter-SemiBold.otf
             opentype/inter/Inter-Bold.otf truetype/jetbrains-mono/JetBrainsMono-Regular.ttf
             truetype/jetbrains-mono/JetBrainsMono-Bold.ttf truetype/dejavu/DejaVuSans.ttf
             truetype/dejavu/DejaVuSans-Bold.ttf truetype/dejavu/DejaVuSansMono.ttf
             truetype/dejavu/DejaVuSansMono-Bold.ttf)
  if(EXISTS ${fonts}/${name})
    list(APPEND bundle ${fonts}/${name}@${fonts}/${name})
  else()
    message(STATUS "No ${fonts}/${name}: the page does without it")
  endif()
endforeach()
foreach(item IN LISTS bundle)
  string(REGEX REPLACE "@.*" "" from ${item})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${from} ${from}/*)
  set_property(TARGET tilewalk_page APPEND PROPERTY LINK_DEPENDS ${files})
  target_link_options(tilewalk_page PRIVATE "SHELL:--preload-file ${item}")
endforeach()
target_link_options(tilewalk_page PRIVATE "SHELL:--exclude-file *README.md")

# What lies beside it: the page, and the recordings with their list.
file(GLOB page CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/web/page/*)
file(GLOB recordings RELATIVE ${PROJECT_SOURCE_DIR}/assets/recordings CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/assets/recordings/*.safetensors)
list(JOIN recordings "\n" recordings)
file(GENERATE OUTPUT ${web_folder}/recordings/index.txt CONTENT "${recordings}\n")
find_program(NODE_PROGRAM NAMES node nodejs REQUIRED)
add_custom_target(tilewalk_web ALL
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${page} ${PROJECT_SOURCE_DIR}/assets/package/tilewalk.svg ${web_folder}
  COMMAND ${NODE_PROGRAM} ${CMAKE_CURRENT_SOURCE_DIR}/web/make_lessons.mjs ${web_folder}/tilewalk_cli.js
          ${web_folder}/lessons.html
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/assets/recordings ${web_folder}/recordings
  DEPENDS tilewalk tilewalk_page VERBATIM)
