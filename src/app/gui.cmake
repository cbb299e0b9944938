# The window and what draws off-screen: everything that needs OpenGL or Dear ImGui.
pkg_check_modules(GLFW REQUIRED IMPORTED_TARGET glfw3)

tilewalk_library(tilewalk_window
  bench_frame.cpp
  frame_painter.cpp
  gui.cpp
  gui_main.cpp
  live_check.cpp
  render_png.cpp
  window.cpp)
target_link_libraries(tilewalk_window PUBLIC tilewalk_cli tilewalk_ui tilewalk_render PRIVATE PkgConfig::GLFW fmt::fmt)
