# The window and what draws off-screen: everything that needs OpenGL or Dear ImGui.
pkg_check_modules(GLFW REQUIRED IMPORTED_TARGET glfw3)

tilewalk_library(tilewalk_window
  bench/bench_frame.cpp
  window/frame_painter.cpp
  window/gui.cpp
  window/gui_main.cpp
  jobs/live_check.cpp
  window/render_png.cpp
  window/window.cpp)
target_link_libraries(tilewalk_window PUBLIC tilewalk_cli tilewalk_ui tilewalk_render PRIVATE PkgConfig::GLFW fmt::fmt)
