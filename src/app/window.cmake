# The window and what draws off-screen: everything that needs OpenGL or Dear ImGui.
pkg_check_modules(GLFW REQUIRED IMPORTED_TARGET glfw3)

tilewalk_library(tilewalk_window
  window/film_cursors.cpp
  window/frame_painter.cpp
  window/frame_loop.cpp
  window/kept_files.cpp
  window/mirror.cpp
  window/picture_export.cpp
  window/render_animation.cpp
  window/render_picture.cpp
  window/screen.cpp
  window/state_json.cpp
  window/why_not_kept.cpp
  window/window.cpp)
target_link_libraries(tilewalk_window PUBLIC tilewalk_cli tilewalk_ui tilewalk_render PRIVATE PkgConfig::GLFW fmt::fmt)
