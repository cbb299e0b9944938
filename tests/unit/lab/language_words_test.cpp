// What a beginner's faults are told: the place that they are at, and what to write instead.
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

std::string body_refusal(const std::string& body) {
  const std::string text =
      "// launch: grid(1) block(4)\n__global__ void attention(const float* Q, float* O, float* L) {\n" + body + "\n}\n";
  const lab::CompiledText out = lab::compile(text, lab::compile_setup(Problem{}, 4));
  if (out.ok()) return "compiles";
  std::string all;
  for (const lab::SourceError& e : out.errors)
    all +=
        std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + ": " + e.what + " | " + e.instead + "\n";
  return all;
}

}  // namespace

TEST_CASE("a missing ; is shown behind the word before it, in that word's line", "[unit]") {
  CHECK(body_refusal("  int a = 12\n\n  L[0] = a;") == "3:13: a ; is missing behind the declaration | \n");
  CHECK(body_refusal("  L[0] = Q[1]  // the first\n  L[1] = 2.0f;") ==
        "3:14: a ; is missing behind the expression | \n");
  CHECK(body_refusal("#define W 12345\n  L[0] = W\n  L[1] = 2.0f;") ==
        "4:11: a ; is missing behind the expression | \n");
  CHECK(body_refusal("  printf(\"x\")\n  L[1] = 2.0f;").starts_with("3:14: a ; is missing"));
  CHECK(body_refusal("  L[0] = 1.0f L[1] = 2.0f;") == "3:14: a ; is missing behind the expression, before 'L' | \n");
  CHECK(body_refusal("  L[0] = (Q[1] + Q[2]\n  ;").find("3:22: a ) is missing behind the expression in brackets") == 0);
}

TEST_CASE("a name whose block has ended is told the line of its declaration", "[unit]") {
  CHECK(body_refusal("for (int x = 0; x < D; ++x) {\n  const int c = x;\n}\nL[0] = c;") ==
        "6:8: there is no variable c | The c of line 4 ended with its block, at a } above. Declare it again here, or "
        "once before the block.\n");
  CHECK(
      body_refusal("for (int c = 0; c < D; ++c);\nL[0] = c;") ==
      "4:8: there is no variable c | The c of line 3 ended at the ; behind its loop's ): the loop has no body. Remove "
      "this ;.\n");
  CHECK(body_refusal("for (int c = 0; c < D; ++c) L[0] = 1;\nL[0] = c;") ==
        "4:8: there is no variable c | The c of line 3 ended with its loop. Declare it again here, or once before the "
        "loop.\n");
  CHECK(body_refusal("if (D > 2) int c = 1;\nL[0] = c;").find("The c of line 3 ended with its if.") !=
        std::string::npos);
  CHECK(body_refusal("{ int c = 1; }\nc = 2;").find("The c of line 3 ended with its block") != std::string::npos);
}

TEST_CASE("another name is offered only where it is like the one that was written", "[unit]") {
  CHECK(body_refusal("L[0] = c;") ==
        "3:8: there is no variable c | Declare it: int c = 0; for a whole number, float c = 0.0f; for another.\n");
  CHECK(body_refusal("__shared__ float sM[BR];\nL[0] = sm[0];").find("Did you mean sM?") != std::string::npos);
  CHECK(body_refusal("int rows = 1, c = 2;\nL[0] = rwos;").find("Did you mean rows?") != std::string::npos);
  CHECK(body_refusal("L[0] = zzz(1.0f);").find("Did you mean") == std::string::npos);
  CHECK(body_refusal("L[0] = fmax_f(1.0f, 2.0f);").find("Did you mean fmaxf?") != std::string::npos);
}

TEST_CASE("lambdas, auto, std:: and double are named with what to write", "[unit]") {
  CHECK(body_refusal("auto f = [&](int r) { return r + 1; };") ==
        "3:1: a lambda is not part of this language | Write a function above the kernel: __device__ float f(float x) { "
        "return x; }\n");
  CHECK(body_refusal("auto x = 1.0f;") ==
        "3:1: auto is not part of this language | Write the type: float, int or const float*.\n");
  CHECK(
      body_refusal("std::vector<float> v;") ==
      "3:1: std::vector is not part of this language | Declare an array whose size is a constant: float a[D]; for this "
      "thread, __shared__ float a[BR][D]; for all threads.\n");
  CHECK(body_refusal("L[0] = std::max(1.0f, 2.0f);") ==
        "3:8: std::max is not part of this language | Write fmaxf, or max for whole numbers.\n");
  CHECK(body_refusal("L[0] = std::exp(1.0f);") == "3:8: std::exp is not part of this language | Write expf.\n");
  CHECK(body_refusal("L[0] = std::size(Q);").find("std::size is not part of this language | Leave std:: out") !=
        std::string::npos);
  CHECK(body_refusal("double s = 0.0;") ==
        "3:1: double is not part of this language | Write float: all arithmetic of the lab is fp32. Numbers end in f: "
        "0.0f.\n");
  CHECK(body_refusal("float s = 0.0;") ==
        "3:11: a number such as 0.0 is a double in C, and this is fp32 | Write 0.0f.\n");
}

TEST_CASE("an array that is too large or empty is told which sizes fit", "[unit]") {
  CHECK(body_refusal("__shared__ float big[1000000000000];") ==
        "3:18: big would have 1000000000000 elements, and an array has from 1 to 16,777,216 | A thread block has 49152 "
        "bytes of shared memory for all its arrays: use sizes of a tile, such as sS[BR][BC].\n");
  CHECK(body_refusal("__shared__ float big[100000][100000];").find("big would have more than 16,777,216 elements") !=
        std::string::npos);
  CHECK(body_refusal("float big[100000000];")
            .find("A local array belongs to one thread: use sizes of a tile, such as "
                  "o[D].") != std::string::npos);
  CHECK(body_refusal("float none[D - D];").find("none would have a side of 0 elements") != std::string::npos);
}

TEST_CASE("a parameter that is no tensor of the problem is one fault, not many", "[unit]") {
  const lab::CompiledText out = lab::compile(
      "// launch: grid(1) block(4)\n__global__ void attention(const float* Q, float* S) {\n  S[0] = 1.0f;\n}\n",
      lab::compile_setup(Problem{}, 4));
  REQUIRE(out.errors.size() == 1);
  CHECK(out.errors[0].unknown_tensor == "S");
  CHECK(out.errors[0].what == "there is no tensor S");
}
