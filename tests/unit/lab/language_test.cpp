// The language: what compiles, what is refused and how.
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

lab::CompiledText compiled(const std::string& text) { return lab::compile(text, lab::compile_setup(Problem{}, 4)); }

std::string in_kernel(const std::string& body) {
  return "// launch: grid(1) block(4)\n__global__ void attention(const float* Q, float* O, float* L) {\n" + body +
         "\n}\n";
}

// The first error's place, text and way out.
std::string refusal(const std::string& text) {
  const lab::CompiledText out = compiled(text);
  if (out.ok()) return "compiles";
  const lab::SourceError& e = out.errors[0];
  return std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + ": " + e.what + " | " + e.instead;
}

// What a kernel's thread 0 stores in L[0].
float result(const std::string& body) {
  const LabRun run = run_text(in_kernel("if (threadIdx.x == 0) {\n" + body + "\n}"), Problem{}, 4);
  INFO(run.findings_text());
  CHECK(run.findings().empty());
  return run.machine->tensor(4)[0];
}

}  // namespace

TEST_CASE("C's operators, loops and conversions have C's results", "[unit]") {
  CHECK(result("L[0] = 7 / 2 + 7 % 4 * 2 - (1 << 3);") == 3 + 6 - 8);
  CHECK(result("int a = -7; L[0] = a / 2 * 10 + a % 4;") == -33);
  CHECK(result("unsigned u = 3u; u -= 4u; L[0] = u > 4000000000u ? 1.0f : 0.0f;") == 1);
  CHECK(result("long long x = 1; for (int i = 0; i < 40; ++i) x *= 2; L[0] = float(x >> 30);") == 1024);
  CHECK(result(
            "int n = 0; for (int i = 0; i < 10; ++i) { if (i == 3) continue; if (i == 6) break; n += i; } L[0] = n;") ==
        0 + 1 + 2 + 4 + 5);
  CHECK(result("int n = 0, i = 5; do { n += i--; } while (i > 0); L[0] = n;") == 15);
  CHECK(result("int i = 1; int j = i++ + 10; L[0] = i * 100 + j;") == 211);
  CHECK(result("bool a = true, b = false; L[0] = (a && !b) + 2 * (a && b) + 4 * (b || a);") == 5);
  CHECK(result("int x = 5; L[0] = x > 3 ? x < 4 ? 1 : 2 : 3.5f;") == 2);
  CHECK(result("L[0] = int(2.9f) + int(-2.9f) + 0.5f;") == 0.5f);
  CHECK(result("float a[3] = {1, 2}; a[2] += 4; L[0] = a[0] + a[1] + a[2];") == 7);
  CHECK(result("const float* p = Q; p += 2; L[0] = p - Q;") == 2);
  CHECK(result("int x = 6; x ^= 3; x |= 8; x &= ~1; L[0] = x;") == 12);
  CHECK(result("L[0] = max(3, 7) + min(2, 9) + fmaxf(0.5f, -1.0f) + sqrtf(16.0f);") == 13.5f);
}

TEST_CASE("device functions and structs are passed by value", "[unit]") {
  const std::string text =
      "struct Row { float m, l; };\n"
      "__device__ Row grown(Row r, float s) { r.m = fmaxf(r.m, s); r.l += 1.0f; return r; }\n"
      "__device__ float sum(const float* p, int n) { float x = 0; for (int i = 0; i < n; ++i) x += p[i]; return x; }\n"
      "__device__ int sign(float x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }\n" +
      in_kernel(
          "float a[3] = {1, 2, 3}; Row r = {0.0f, 0.0f}; r = grown(grown(r, 4.0f), 2.0f);\n"
          "if (threadIdx.x == 0) L[0] = r.m * 100 + r.l * 10 + sum(a, 3) + sign(-2.0f);");
  const LabRun run = run_text(text, Problem{}, 4);
  INFO(run.findings_text());
  CHECK(run.machine->tensor(4)[0] == 400 + 20 + 6 - 1);
}

TEST_CASE("what C++ has beyond the language is refused by name, with what to write instead", "[unit]") {
  CHECK(
      refusal("template <int N> void f() {}") ==
      "1:1: template is not part of this language | Write the function once for each type; sizes are constants of the "
      "task.");
  CHECK(refusal(in_kernel("  double x = 0;")) ==
        "3:3: double is not part of this language | Write float: all arithmetic of the lab is fp32.");
  CHECK(refusal(in_kernel("float x = 1.5;")) ==
        "3:11: a number such as 1.5 is a double in C, and this is fp32 | Write 1.5f.");
  CHECK(refusal(in_kernel("L[0] = exp(1.0f);")) == "3:8: exp is not part of this language | Write expf.");
  CHECK(refusal(in_kernel("switch (1) {}")) == "3:1: switch is not part of this language | Write if and else.");
  CHECK(refusal("#include <cuda.h>\n").find("Remove this line") != std::string::npos);
  CHECK(refusal("#define F(x) x\n").find("Write a __device__ function") != std::string::npos);
  CHECK(refusal(in_kernel("float& r = L[0];")).find("references are not part") != std::string::npos);
}

TEST_CASE("faults of a text are named at their place", "[unit]") {
  CHECK(refusal(in_kernel("int rows = 1;\n  L[0] = rwos;")) == "4:10: there is no variable rwos | Did you mean rows?");
  CHECK(refusal(in_kernel("Q[0] = 1.0f;")) == "3:6: this element is const | Inputs are only read.");
  CHECK(refusal(in_kernel("__shared__ float s[BR][10000];")).find("the shared arrays need 160000 bytes") !=
        std::string::npos);
  CHECK(refusal(in_kernel("int BR = 4;")).find("BR is a constant that the task gives") != std::string::npos);
  CHECK(refusal("__device__ float f(float x) { return f(x); }\n" + in_kernel("L[0] = f(1.0f);")).find("calls itself") !=
        std::string::npos);
  CHECK(refusal("__global__ void attention(float* O) {}").find("no kernel is started") != std::string::npos);
  CHECK(
      refusal("// launch: grid(0) block(4)\n__global__ void attention(float* O) {}").find("the grid must be from 1") !=
      std::string::npos);
  CHECK(refusal(in_kernel("int n = 4; float a[n];")).find("an array's size must be a constant") != std::string::npos);
  CHECK(refusal(in_kernel("if (1) {")).find("a } is missing") != std::string::npos);
  CHECK(refusal(in_kernel("L[0] = 1 / 0;")).find("divides a whole number by zero") != std::string::npos);
}

TEST_CASE("an error is shown with its line, a caret and the way out", "[unit]") {
  const std::string text = in_kernel("  L[0] = sn + 1;");
  const lab::CompiledText out = compiled(text);
  REQUIRE(!out.ok());
  CHECK(lab::text_of_error("my.cu", text, out.errors[0])
            .find("my.cu:3:10: there is no variable sn\n"
                  "    3 |   L[0] = sn + 1;\n"
                  "      |          ^\n") == 0);
}

TEST_CASE("deep nesting, long texts and copied functions are refused, and end", "[unit]") {
  CHECK(refusal(in_kernel("L[0] = " + std::string(5000, '(') + "1")).find("nested more than 100 deep") !=
        std::string::npos);
  std::string sum = "L[0] = 1";
  for (int i = 0; i < 5000; ++i) sum += " + 1";
  CHECK(refusal(in_kernel(sum + ";")).find("more than 400 parts") != std::string::npos);
  CHECK(refusal(std::string(300'000, ' ')).find("longer than 256 KiB") != std::string::npos);
  std::string doubling = "__device__ float f0(float x) { return x + 1.0f; }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string n = std::to_string(i), before = "f" + std::to_string(i - 1);
    doubling += "__device__ float f" + n + "(float x) { return " + before + "(x) + " + before + "(x); }\n";
  }
  CHECK(refusal(doubling + in_kernel("L[0] = f39(1.0f);")).find("the kernel is too long") != std::string::npos);
  std::string empty = "__device__ void f0() {}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "f" + std::to_string(i - 1) + "();";
    empty += "__device__ void f" + std::to_string(i) + "() { " + before + before + " }\n";
  }
  CHECK(refusal(empty + in_kernel("f59();")).find("more than 20,000 calls") != std::string::npos);
}

TEST_CASE("#if chooses lines by the task's constants and by #define", "[unit]") {
  CHECK(result("#if D == 4 && !CAUSAL\nL[0] = 1;\n#else\nL[0] = 2;\n#endif") == 1);
  CHECK(result("#if D > 4\nL[0] = 1;\n#elif BR * 2 == 8\nL[0] = 2;\n#elif 1\nL[0] = 3;\n#else\nthis is no C\n#endif") ==
        2);
  CHECK(result("#define FAST\n#ifdef FAST\nL[0] = 1;\n#else\nL[0] = 2;\n#endif") == 1);
  CHECK(result("#ifndef FAST\nL[0] = 1;\n#else\nL[0] = 2;\n#endif") == 1);
  CHECK(result("#define W (2 + 1)\n#if defined(W) && W * 2 == 6 && !defined(X) && defined BR\nL[0] = W;\n#endif") == 3);
  CHECK(result("#if 0\n\"no end\n/* #endif\n*/ x // /*\n#if 1\n#else\n#endif\n#else\nL[0] = 7;\n#endif") == 7);
  CHECK(result("#if 1 ? 0 : 1\nL[0] = 1;\n#else\nL[0] = (1 << 3) - 7 / 2;\n#endif") == 5);
  CHECK(refusal(in_kernel("#if D\nL[0] = 1;")) == "3:1: this #if has no #endif | Write #endif below its last line.");
  CHECK(refusal("#endif\n") == "1:1: there is no #if above this #endif | Write #if, or remove this line.");
  CHECK(refusal("#if 1\n#else\n#else\n#endif\n") == "3:1: this #if has an #else already | Write #endif.");
  CHECK(refusal("#if SCALE > 1\n#endif\n").find("SCALE is a float") != std::string::npos);
  CHECK(refusal("#if TILE\n#endif\n").find("here is no constant TILE") != std::string::npos);
  CHECK(refusal("#ifdef CAUSAL\n#endif\n").find("Write #if CAUSAL.") != std::string::npos);
  CHECK(refusal("#if 1 / 0\n#endif\n").find("divides a whole number by zero") != std::string::npos);
  CHECK(refusal("#if (1\n#endif\n").find("a ) is missing") != std::string::npos);
  CHECK(refusal("#if\n#endif\n").find("this condition is empty") != std::string::npos);
  CHECK(refusal("#if 1.0f\n#endif\n").find("whole numbers and constants") != std::string::npos);
  CHECK(refusal("#undef D\n").find("#undef is not part of this language") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "#if 1\n";
  CHECK(refusal(deep).find("more than 64 deep") != std::string::npos);
}

TEST_CASE("arrays of structs, long arrays and widths of shuffles are refused with what to write instead", "[unit]") {
  CHECK(refusal("struct Row { float m, l; };\n" + in_kernel("Row rows[4];"))
            .find("an array of structs is not part of this language | Write an array for each field of Row.") !=
        std::string::npos);
  CHECK(refusal(in_kernel("__shared__ long long s[4];"))
            .find("an array of long long is not part of this language | Write int: an element has 32 bits.") !=
        std::string::npos);
  CHECK(refusal(in_kernel("const float* p[2];")).find("an array of pointers is not part of this language") !=
        std::string::npos);
  CHECK(refusal(in_kernel("unsigned long long x = 0;")).find("Write long long.") != std::string::npos);
  CHECK(refusal(in_kernel("long x = 0;")).find("Write long long, or int.") != std::string::npos);
  const std::string shuffle = "float x = Q[threadIdx.x]; L[threadIdx.x] = ";
  CHECK(compiled(in_kernel(shuffle + "__shfl_xor_sync(0xfu, x, 1, 32);")).ok());
  CHECK(refusal(in_kernel(shuffle + "__shfl_xor_sync(0xfu, x, 1, 16);"))
            .find("a shuffle's width is always 32 here | Leave the fourth argument out: lanes below 16 stay") !=
        std::string::npos);
  CHECK(refusal(in_kernel(shuffle + "__shfl_sync(0xfu, x, 1, 16);")).find("(threadIdx.x & ~15) + lane") !=
        std::string::npos);
}
