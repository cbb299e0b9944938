#include "render/shader_program.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "render/offscreen_context.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<OffscreenContext> context() {
  auto made = OffscreenContext::create();
  INFO((made ? "" : text_of(made.issues())));
  REQUIRE(made.ok());
  return std::move(*made);
}

}  // namespace

TEST_CASE("every shader of the program compiles and links off-screen") {
  const auto gl = context();
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TILEWALK_SOURCE_DIR "/shaders")) {
    if (entry.path().extension() != ".frag") continue;
    const auto program = ShaderProgram::load(std::filesystem::path(entry.path()).replace_extension(".vert").string(),
                                             entry.path().string());
    INFO((program ? "" : text_of(program.issues())));
    CHECK(program.ok());
    ++programs;
  }
  CHECK(programs >= 1);
}

TEST_CASE("a shader that does not compile is refused with the compiler's message") {
  const auto gl = context();
  const std::string path = (std::filesystem::temp_directory_path() / "tilewalk_broken.frag").string();
  std::ofstream(path) << "void main() { nonsense }\n";
  const auto program = ShaderProgram::load(TILEWALK_SOURCE_DIR "/shaders/heat_map.vert", path);
  REQUIRE_FALSE(program.ok());
  CHECK(program.issues()[0].field == path);
  CHECK(program.issues()[0].rule.find("does not compile") == 0);
  std::filesystem::remove(path);
}

TEST_CASE("a missing shader file is refused by name") {
  const auto gl = context();
  const auto program = ShaderProgram::load("/no/such.vert", "/no/such.frag");
  REQUIRE_FALSE(program.ok());
  CHECK(program.issues()[0].field == "/no/such.vert");
}
