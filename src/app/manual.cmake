# The man page and what shells offer after Tab, made from the tables of the command line.
add_library(tilewalk_manual OBJECT manual/completions.cpp manual/man_page.cpp)
target_link_libraries(tilewalk_manual PUBLIC tilewalk_cli PRIVATE fmt::fmt)
tilewalk_compile(tilewalk_manual)
add_executable(make_manual manual/make_manual.cpp)
target_link_libraries(make_manual PRIVATE tilewalk_manual tilewalk_no_window fmt::fmt)
tilewalk_compile(make_manual)
set(manual_folder ${CMAKE_BINARY_DIR}/manual)
set(manual_files ${manual_folder}/tilewalk.1 ${manual_folder}/tilewalk.bash ${manual_folder}/_tilewalk
                 ${manual_folder}/tilewalk.fish)
file(GLOB named_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assets/presets/*.toml
                                        ${PROJECT_SOURCE_DIR}/assets/lessons/*.md)
add_custom_command(OUTPUT ${manual_files}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_folder}
  COMMAND make_manual ${PROJECT_VERSION} ${PROJECT_SOURCE_DIR} ${manual_folder}
  DEPENDS make_manual ${named_files} VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual_files})
install(FILES ${manual_folder}/tilewalk.1 DESTINATION share/man/man1)
install(FILES ${manual_folder}/tilewalk.bash DESTINATION share/bash-completion/completions RENAME tilewalk)
install(FILES ${manual_folder}/_tilewalk DESTINATION share/zsh/site-functions)
install(FILES ${manual_folder}/tilewalk.fish DESTINATION share/fish/vendor_completions.d)
