// Dear ImGui's own window and OpenGL backends; packages install them in one of two places.
#pragma once

#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include "ui/imgui_compat.h"

namespace tilewalk {

inline void upload_fonts() {
#if TILEWALK_IMGUI_UPLOADS_FONTS
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace tilewalk
