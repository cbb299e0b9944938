// The digest of a kernel: comments, white space and positions of headers do not count, every included header does.
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

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void move(const std::string& from, const std::string& to) const {
    fs::create_directories((root_ / to).parent_path());
    fs::rename(root_ / from, root_ / to);
  }

  // The header that digest.cmake writes; empty if it refused.
  std::string digest() const {
    const std::string out = (root_ / "out.h").string();
    fs::remove(out);
    const std::string command = std::string("\"") + CMAKE_PROGRAM + "\" -DROOT=\"" + root_.string() +
                                "\" -DKERNELS=1.cu -DOUT=\"" + out + "\" -DDEPFILE=\"" + out + ".d\" -P \"" +
                                TILEWALK_SOURCE_DIR + "/kernels/digest.cmake\" 2>/dev/null";
    return std::system(command.c_str()) == 0 ? text_of(out) : std::string();
  }
  std::string files_read() const { return text_of((root_ / "out.h.d").string()); }

 private:
  static std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

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

TEST_CASE("a moved header changes no digest, and a changed one does, wherever it is") {
  const Repository repository;
  const std::string first = repository.digest();
  repository.move("src/core/far.h", "src/core/values/farther.h");
  repository.write("kernels/common/near.h",
                   "#include <cmath>\n#include <cstdint>\n#include \"core/values/farther.h\"\nint y;\n");
  REQUIRE(repository.digest() == first);
  repository.move("kernels/common/near.h", "src/near.h");
  repository.write("kernels/1.cu", "#include \"near.h\"\nint x = 1;\n");
  REQUIRE(repository.digest() == first);
  repository.write("src/core/values/farther.h", "long z;\n");
  REQUIRE(repository.digest() != first);
}

TEST_CASE("a header that is no longer included, or is included in another order, changes a digest") {
  const Repository repository;
  const std::string first = repository.digest();
  repository.write("kernels/common/near.h", "int y;\n");
  REQUIRE(repository.digest() != first);
  repository.write("kernels/common/near.h", "int y;\n");
  repository.write("kernels/1.cu", "#include \"core/far.h\"\n#include \"kernels/common/near.h\"\nint x = 1;\n");
  REQUIRE(repository.digest() != first);
}

TEST_CASE("the build depends on every file of a digest") {
  const Repository repository;
  REQUIRE_FALSE(repository.digest().empty());
  for (const char* file : {"out.h: ", "kernels/1.cu", "kernels/common/near.h", "src/core/far.h"})
    REQUIRE(repository.files_read().find(file) != std::string::npos);
}

TEST_CASE("a digest refuses block comments and missing headers") {
  const Repository repository;
  repository.write("src/core/far.h", "int z; /* no */\n");
  REQUIRE(repository.digest().empty());
  repository.write("src/core/far.h", "#include \"core/nowhere.h\"\n");
  REQUIRE(repository.digest().empty());
}
