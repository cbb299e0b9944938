# The text verbs for Node, on the machine's own files: proof that WebAssembly computes the same bits.
set_target_properties(tilewalk PROPERTIES OUTPUT_NAME tilewalk_cli
                                          RUNTIME_OUTPUT_DIRECTORY ${PROJECT_SOURCE_DIR}/build/web)
target_sources(tilewalk PRIVATE web/exact_fmaf.cpp)
target_link_options(tilewalk PRIVATE -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1
  "SHELL:--pre-js ${CMAKE_CURRENT_SOURCE_DIR}/web/node.js")
set_property(TARGET tilewalk APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/web/node.js)
