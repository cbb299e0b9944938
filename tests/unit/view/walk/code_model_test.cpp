#include "view/walk/code_model.h"

#include <fstream>
#include <sstream>

#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

KernelText kernel_file(const char* name) {
  std::ifstream file(std::string(TILEWALK_SOURCE_DIR) + "/kernels/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return parse_kernel(name, text.str());
}

}  // namespace

TEST_CASE("a tag's lines end at the next tag, a blank line, a barrier or a closing brace") {
  const KernelText text = parse_kernel("x.cu",
                                       "{\n"
                                       "  // [RowMax] first\n"
                                       "  a();\n"
                                       "  // [Divide, StoreP]\n"
                                       "  b();\n"
                                       "}\n"
                                       "  c();\n"
                                       "  // [Scores]\n"
                                       "  d();\n"
                                       "  __syncthreads();  // why\n"
                                       "  e();\n");
  CHECK(text.lines_of.at({-1, Phase::RowMax}) == std::vector<int>{1, 2});
  CHECK(text.lines_of.at({-1, Phase::Divide}) == std::vector<int>{3, 4});
  CHECK(text.lines_of.at({-1, Phase::StoreP}) == text.lines_of.at({-1, Phase::Divide}));
  CHECK(text.lines_of.at({-1, Phase::Scores}) == std::vector<int>{7, 8});
}

TEST_CASE("every phase of both schedules has lines in its kernel's real file") {
  for (const auto& [kind, file] :
       {std::pair{ScheduleKind::Standard, "01_standard.cu"}, std::pair{ScheduleKind::FlashV2, "03_flash_v2.cu"}}) {
    const KernelText text = kernel_file(file);
    REQUIRE(text.lines.size() > 50);
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const CodeModel m = build_code_model(text, walk.at(k));
      INFO(file << ": " << name_of(walk.at(k).step.phase) << " at " << k);
      REQUIRE(m.first_lit >= 0);
      REQUIRE(m.lit[std::size_t(m.first_lit)]);
    }
  }
}

TEST_CASE("the code has no comments, and each is kept with the line that it is about") {
  const KernelText text = parse_kernel("x.cu",
                                       "// About the file.\n"
                                       "\n"
                                       "{\n"
                                       "  // [RowMax] The largest,\n"
                                       "  // columns increasing.\n"
                                       "  a = b;  // of equal ones the first\n"
                                       "\n"
                                       "\n"
                                       "  // alone\n"
                                       "\n"
                                       "  c();\n"
                                       "}\n");
  CHECK(text.code.lines == std::vector<std::string>{"{", "  a = b;", "", "  c();", "}"});
  CHECK(text.code.numbers == std::vector<int>{2, 5, 6, 10, 11});
  CHECK(text.code.comments ==
        std::vector<std::string>{"", "The largest, columns increasing. of equal ones the first", "", "", ""});
}

TEST_CASE("of a phase only the lines that make or move numbers are lit") {
  const KernelText text = parse_kernel("x.cu",
                                       "__global__ void x() {\n"
                                       "  // [Scores] one product an element\n"
                                       "  for (int e = first; e < rows; e += stride) {\n"
                                       "    const int row = e / cols;\n"
                                       "    float acc = 0.0f;\n"
                                       "    for (int x = 0; x < d; ++x) acc = fma32(q, k, acc);\n"
                                       "    if constexpr (kTraced) {\n"
                                       "      record.score(row, acc);\n"
                                       "    }\n"
                                       "    sS[e] = acc;\n"
                                       "  }\n"
                                       "  __syncthreads();\n"
                                       "}\n");
  Walk walk(picture());
  std::int64_t k = 1;
  while (walk.at(k).step.phase != Phase::Scores) ++k;
  const CodeModel m = build_code_model(text, walk.at(k));
  std::vector<std::string> lit;
  for (std::size_t i = 0; i < m.lit.size(); ++i)
    if (m.lit[i]) lit.push_back(text.code.lines[i]);
  CHECK(lit == std::vector<std::string>{"    for (int x = 0; x < d; ++x) acc = fma32(q, k, acc);", "    sS[e] = acc;"});
  CHECK(text.code.lines[std::size_t(m.open_at)] == "  for (int e = first; e < rows; e += stride) {");
}

TEST_CASE("in no kernel a lit line is a comment, a brace or a barrier, and most of each source is code") {
  for (const auto& [kind, file] :
       {std::pair{ScheduleKind::Standard, "01_standard.cu"}, std::pair{ScheduleKind::FlashV2, "03_flash_v2.cu"}}) {
    const KernelText text = kernel_file(file);
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const CodeModel m = build_code_model(text, walk.at(k));
      int lit = 0;
      for (std::size_t i = 0; i < m.lit.size(); ++i) {
        if (!m.lit[i]) continue;
        ++lit;
        INFO(file << " " << text.code.numbers[i] + 1 << ": " << text.code.lines[i]);
        CHECK(text.code.lines[i].find("//") == std::string::npos);
        CHECK(text.code.lines[i].find_first_not_of(" {}") != std::string::npos);
        CHECK(text.code.lines[i].find("__syncthreads") == std::string::npos);
      }
      INFO(file << ": " << name_of(walk.at(k).step.phase));
      CHECK(lit <= 6);
    }
  }
}

TEST_CASE("before the first step no line is lit, and without a file there is a note") {
  Walk walk(picture());
  CHECK(build_code_model(kernel_file("03_flash_v2.cu"), walk.at(0)).first_lit == -1);
  CHECK_FALSE(build_code_model({}, walk.at(3)).note.empty());
}

TEST_CASE("lines are wrapped at spaces within the columns, and continuations are indented by two") {
  const std::vector<std::string> lines = {"", "short", "  const float best = warp_max(row, -1.0f);  // of α and more",
                                          std::string(50, 'x')};
  for (const int columns : {8, 12, 20, 33, 100}) {
    INFO(columns << " columns");
    std::vector<std::string> joined(lines.size());
    for (const WrappedLine& part : wrapped(lines, columns)) {
      const std::string& line = lines[std::size_t(part.line)];
      const std::string text = line.substr(part.begin, part.end - part.begin);
      CHECK(part.indent + std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }) <=
            std::max(columns, 8));
      CHECK((part.begin == 0) == (part.indent == 0));
      for (const char c : text) joined[std::size_t(part.line)] += c == ' ' ? "" : std::string(1, c);
    }
    for (std::size_t n = 0; n < lines.size(); ++n) {
      std::string whole = lines[n];
      std::erase(whole, ' ');
      CHECK(joined[n] == whole);
    }
  }
  CHECK(wrapped(lines, 100).size() == lines.size());
}
