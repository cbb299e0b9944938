// OpenGL's names, and the first lines that its shading language asks of a shader: 3.3 core through libepoxy, or ES 3.0
// where that is not there, as in a browser. The files in shaders/ have no such lines.
#pragma once

#if __has_include(<epoxy/gl.h>)
#include <epoxy/gl.h>
#else
#include <GLES3/gl3.h>
#endif

namespace tilewalk {

#if __has_include(<epoxy/gl.h>)
inline constexpr const char* kShaderVersion = "#version 330 core";
inline constexpr const char* kShaderHead = "#version 330 core\n#line 1\n";
#else
inline constexpr const char* kShaderVersion = "#version 300 es";
inline constexpr const char* kShaderHead =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp usampler2D;\n#line 1\n";
#endif

}  // namespace tilewalk
