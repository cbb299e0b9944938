# Two programs. The text verbs for Node, on the machine's own files: proof that WebAssembly computes the same bits.
# Nobody downloads it, so it is linked at -O1, without the half minute of passes that make the page a third smaller.
set(web_folder ${PROJECT_SOURCE_DIR}/build/web)
set_target_properties(tilewalk PROPERTIES OUTPUT_NAME tilewalk_cli RUNTIME_OUTPUT_DIRECTORY ${web_folder})
target_sources(tilewalk PRIVATE jobs/file_on_disk.cpp web/exact_fmaf.cpp web/web_worker.cpp)
target_link_options(tilewalk PRIVATE -O1 -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1
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

# The bundle: what the program reads of the assets, but the recordings, which are fetched one by one, and the fonts of
# this machine with the characters that the theme loads.
foreach(folder assets/dispatch assets/lab assets/lessons assets/presets assets/profiles assets/questions shaders)
  list(APPEND bundle ${PROJECT_SOURCE_DIR}/${folder}@/tilewalk/${folder})
endforeach()
file(GLOB kernels RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu)
set(measured ${PROJECT_SOURCE_DIR}/assets/measurements)  # races, processors, traffic, stamps (src/measured)
file(GLOB measurements RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${measured}/fast_*.csv ${measured}/head_256_*.csv ${measured}/race_64k_*.csv ${measured}/eager_*.csv
     ${measured}/drawn_*.csv ${measured}/cpu_race_*.csv ${measured}/cpu_xeon_model207_2026-11-21.csv
     ${measured}/traffic_h200.csv ${measured}/flash_v3_stamps_*.csv ${measured}/flash_v3_ablation_*.csv)
foreach(file IN LISTS kernels measurements)
  list(APPEND bundle ${PROJECT_SOURCE_DIR}/${file}@/tilewalk/${file})
endforeach()
file(READ ${PROJECT_SOURCE_DIR}/src/ui/theme.cpp theme)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ui/theme.cpp)
string(REGEX MATCHALL "ImWchar k[A-Za-z]+\\[\\] = {[^}]*}" arrays "${theme}")
string(REGEX MATCHALL "0x[0-9a-f]+" numbers "${arrays}")
while(numbers)
  list(POP_FRONT numbers first last)
  string(APPEND characters "${first}-${last},")
endwhile()
string(REPLACE "0x" "" characters "${characters}")
find_program(HB_SUBSET_PROGRAM hb-subset)
set(fonts /usr/share/fonts)
foreach(name opentype/inter/Inter-Regular.otf opentype/inter/Inter-Medium.otf opentype/inter/Inter-SemiBold.otf
             opentype/inter/Inter-Bold.otf truetype/jetbrains-mono/JetBrainsMono-Regular.ttf
             truetype/jetbrains-mono/JetBrainsMono-Bold.ttf truetype/dejavu/DejaVuSans.ttf
             truetype/dejavu/DejaVuSans-Bold.ttf truetype/dejavu/DejaVuSansMono.ttf
             truetype/dejavu/DejaVuSansMono-Bold.ttf)
  set(font ${fonts}/${name})
  if(NOT EXISTS ${font})
    message(STATUS "No ${font}: the page does without it")
    continue()
  endif()
  if(HB_SUBSET_PROGRAM)
    set(whole ${font})
    set(font ${PROJECT_BINARY_DIR}/fonts/${name})
    get_filename_component(folder ${font} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${font} DEPENDS ${whole} VERBATIM
      COMMAND ${HB_SUBSET_PROGRAM} --unicodes=${characters} --output-file=${font} ${whole})
    target_sources(tilewalk_page PRIVATE ${font})
  endif()
  list(APPEND bundle ${font}@${fonts}/${name})
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
