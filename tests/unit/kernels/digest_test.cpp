// The digest of a kernel: comments and white space do not count, every header it includes does.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"

namespace {

namespace fs = std::filesystem;

// A small repository with one kernel, which includes one header, which includes another.
class Repository {
 public:
  Repository() : root_(fs::temp_directory_path() / ("tilewalk_digest_test_" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "kernels/common");
    fs::create_directories(root_ / "src/core");
    write("kernels/1.cu", "// a kernel\n#include \"kernels/common/near.h\"\nint x = 1;\n");
    write("kernels/common/near.h", "#include \"core/far.h\"\n#include <cmath>\nint y;\n");
    write("src/core/far.h", "int z;  // the last\n");
  }
  ~Repository() { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const { std::ofstream(root_ / path) << text; }

  // The header that digest.cmake writes; empty if it refused.
  std::string digest() const {
    const std::string out = (root_ / "out.h").string();
    fs::remove(out);
    const std::string command = std::string("\"") + CMAKE_PROGRAM + "\" -DROOT=\"" + root_.string() +
                                "\" -DKERNELS=1.cu -DOUT=\"" + out + "\" -P \"" + TILEWALK_SOURCE_DIR +
                                "/kernels/digest.cmake\" 2>/dev/null";
    if (std::system(command.c_str()) != 0) return {};
    std::stringstream text;
    text << std::ifstream(out).rdbuf();
    return text.str();
  }

 private:
  fs::path root_;
};

}  // namespace

TEST_CASE("a digest ignores comments and white space, and changes with any file that is included") {
  const Repository repository;
  const std::string first = repository.digest();
  REQUIRE(first.find("{\"1.cu\", \"") != std::string::npos);
  repository.write("src/core/far.h", "// other words\n\n  int z ;\n");
  REQUIRE(repository.digest() == first);
  repository.write("src/core/far.h", "int zz;\n");
  REQUIRE(repository.digest() != first);
  repository.write("src/core/far.h", "int z;\n");
  repository.write("kernels/1.cu", "#include \"kernels/common/near.h\"\nint x = 2;\n");
  REQUIRE(repository.digest() != first);
}

TEST_CASE("a digest refuses block comments and headers that are not there") {
  const Repository repository;
  repository.write("src/core/far.h", "int z; /* no */\n");
  REQUIRE(repository.digest().empty());
  repository.write("src/core/far.h", "#include \"core/nowhere.h\"\n");
  REQUIRE(repository.digest().empty());
}
