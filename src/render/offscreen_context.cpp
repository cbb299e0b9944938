#include "render/offscreen_context.h"

#include <epoxy/egl.h>

#include "render/gl.h"

namespace tilewalk {
namespace {

Issue failure(const char* what) {
  return {"off-screen drawing", "", std::string(what) + " failed",
          "Install Mesa's EGL and software drivers (libegl1, libgl1-mesa-dri)"};
}

EGLDisplay open_display(bool surfaceless) {
  EGLDisplay display = EGL_NO_DISPLAY;
  if (!surfaceless)
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  else if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return EGL_NO_DISPLAY;
  return display;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::create() {
  if (!epoxy_has_egl()) return failure("loading EGL");
  EGLDisplay display = open_display(true);
  if (display == EGL_NO_DISPLAY) display = open_display(false);
  if (display == EGL_NO_DISPLAY) return failure("opening an EGL display");
  std::unique_ptr<OffscreenContext> self(new OffscreenContext);
  self->display_ = display;
  if (!eglBindAPI(EGL_OPENGL_API)) return failure("choosing OpenGL");
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) return failure("finding a configuration");
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  self->context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (!self->context_) return failure("making an OpenGL 3.3 context");
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, self->context_)) {
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    self->surface_ = eglCreatePbufferSurface(display, config, size);
    if (!self->surface_ || !eglMakeCurrent(display, self->surface_, self->surface_, self->context_))
      return failure("making the context current");
  }
  return self;
}

OffscreenContext::~OffscreenContext() {
  if (!display_) return;
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (surface_) eglDestroySurface(display_, surface_);
  if (context_) eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

std::string OffscreenContext::renderer() const {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name ? name : "";
}

}  // namespace tilewalk
