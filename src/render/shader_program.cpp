#include "render/shader_program.h"

#include <fstream>
#include <sstream>

#include "render/gl.h"

namespace tilewalk {
namespace {

Result<unsigned> compile(GLenum kind, const std::string& path) {
  std::ifstream file(path);
  if (!file) return Issue{path, "", "cannot be read", "Set TILEWALK_ROOT to the folder with shaders/"};
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const char* const parts[] = {kShaderHead, source.c_str()};
  const unsigned shader = glCreateShader(kind);
  glShaderSource(shader, 2, parts, nullptr);
  glCompileShader(shader);
  int good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  char words[1024] = "";
  glGetShaderInfoLog(shader, sizeof words, nullptr, words);
  glDeleteShader(shader);
  return Issue{path, "", std::string("does not compile: ") + words, ""};
}

}  // namespace

Result<std::unique_ptr<ShaderProgram>> ShaderProgram::load(const std::string& vertex_path,
                                                           const std::string& fragment_path) {
  const Result<unsigned> vertex = compile(GL_VERTEX_SHADER, vertex_path);
  if (!vertex) return vertex.issues();
  const Result<unsigned> fragment = compile(GL_FRAGMENT_SHADER, fragment_path);
  if (!fragment) {
    glDeleteShader(*vertex);
    return fragment.issues();
  }
  std::unique_ptr<ShaderProgram> program(new ShaderProgram);
  program->name_ = glCreateProgram();
  for (const unsigned shader : {*vertex, *fragment}) {
    glAttachShader(program->name_, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program->name_);
  int good = 0;
  glGetProgramiv(program->name_, GL_LINK_STATUS, &good);
  if (good) return program;
  char words[1024] = "";
  glGetProgramInfoLog(program->name_, sizeof words, nullptr, words);
  return Issue{fragment_path, "", std::string("does not link: ") + words, ""};
}

ShaderProgram::~ShaderProgram() {
  if (name_) glDeleteProgram(name_);
}

void ShaderProgram::use() const { glUseProgram(name_); }
int ShaderProgram::uniform(const char* name) const { return glGetUniformLocation(name_, name); }

}  // namespace tilewalk
