// Generated programs: the lab's machine and the compiler that built this test give the same bits.
// TILEWALK_PROGRAMS sets how many programs (default 60), TILEWALK_FIRST_PROGRAM the seed of the first (default 1).
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

#include "base/random.h"
#include "core/values/exact_math.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/lab/lab_helpers.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

// Statements over int i0…i3, unsigned u0, u1, long long l0, l1, float f0…f3 that C defines on every machine.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : seed_(seed) {}

  std::string body() {
    std::string out =
        "int i0 = t, i1 = 7 - t, i2 = t * 3 + 1, i3 = 12345; unsigned u0 = 77u + t, u1 = 4000000000u;\n"
        "long long l0 = 5000000000 + t, l1 = -3;\n"
        "float f0 = Q[t], f1 = Q[t + 8], f2 = 0.25f * t, f3 = -1.5f; float a[4] = {1, 2, 3, 4};\n";
    for (int i = 0; i < 12; ++i) out += statement(3);
    return out +
           "L[t] = f0 + f1 * 0.5f + f2 - f3 + a[i0 & 3] + float((i0 ^ i1 ^ i2 ^ i3) & 1023) + float((u0 ^ u1) & "
           "255u) + float((l0 ^ l1) & 511) + float(l0 >> 32);\n";
  }

 private:
  std::size_t pick(std::size_t count) { return std::size_t(random_bits(seed_, 5, next_++) % count); }
  std::string one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + std::ptrdiff_t(pick(words.size())));
  }
  std::string int_name() { return one_of({"i0", "i1", "i2", "i3"}); }
  std::string float_name() { return one_of({"f0", "f1", "f2", "f3"}); }

  std::string whole(int depth) {  // an int, cut so that no sum or product overflows
    if (depth == 0 || pick(4) == 0) return pick(3) ? int_name() : std::to_string(pick(100));
    const std::string a = "(" + whole(depth - 1) + " & 4095)", b = "(" + whole(depth - 1) + " & 4095)";
    switch (pick(8)) {
      case 0: return "(" + a + " / (" + b + " + 1))";
      case 1: return "(" + a + " % (" + b + " + 1))";
      case 2: return "(" + a + " >> (" + b + " & 7))";
      case 3: return "(" + a + one_of({" < ", " >= ", " == ", " != "}) + b + " ? " + a + " : -" + b + ")";
      case 4: return "int(u0 >> " + std::to_string(pick(20) + 12) + ")";
      case 5: return "(" + real(depth - 1) + " < " + real(depth - 1) + " && " + a + " != 3)";
      default: return "(" + a + one_of({" + ", " - ", " * ", " | ", " ^ "}) + b + ")";
    }
  }
  std::string natural(int depth) {
    const std::string b = "unsigned(" + whole(depth > 0 ? depth - 1 : 0) + ")";
    return "(" + one_of({"u0", "u1"}) + one_of({" + ", " - ", " * ", " ^ ", " & "}) + b + ")";
  }
  std::string longer(int depth) {  // cut so that no sum or product overflows
    const std::string a = "(" + one_of({"l0", "l1"}) + " & 1099511627775)", b = "(" + whole(depth) + " & 4095)";
    switch (pick(6)) {
      case 0: return "(" + a + " / (" + b + " + 1))";
      case 1: return "(" + a + " % (" + b + " + 1))";
      case 2: return "(" + a + " >> (" + b + " & 31))";
      case 3: return "(" + a + one_of({" < ", " >= "}) + one_of({"l0", "l1"}) + " ? -" + a + " : " + b + ")";
      case 4: return "(" + a + " + (long long)(" + one_of({"u0", "u1"}) + "))";
      default: return "(" + a + one_of({" + ", " - ", " * ", " | ", " ^ "}) + b + ")";
    }
  }
  std::string real(int depth) {
    if (depth == 0 || pick(4) == 0)
      return pick(3) ? float_name() : one_of({"0.5f", "1.25f", "3.0f", "-0.75f", "a[1]", "1e-3f"});
    const std::string a = real(depth - 1), b = real(depth - 1);
    switch (pick(9)) {
      case 0: return "fmaf(" + a + ", " + b + ", " + real(depth - 1) + ")";
      case 1: return "exp2f(fminf(" + a + ", 9.0f))";
      case 2: return "log2f(fabsf(" + a + ") + 1.0f)";
      case 3: return "(" + a + " / (fabsf(" + b + ") + 1.0f))";
      case 4: return "fmaxf(" + a + ", " + b + ")";
      case 5: return "(" + a + " > " + b + " ? " + a + " : " + b + ")";
      case 6: return "sqrtf(fabsf(" + a + "))";
      case 7: return "(" + a + " + float(" + whole(depth - 1) + " & 63))";
      default: return "(" + a + one_of({" + ", " - ", " * "}) + b + ")";
    }
  }
  std::string statement(int depth) {
    switch (pick(8)) {
      case 7: return one_of({"l0", "l1"}) + " = " + longer(1) + ";\n";
      case 0: return int_name() + " = " + whole(2) + " & 65535;\n";
      case 1: return one_of({"u0", "u1"}) + " = " + natural(2) + ";\n";
      case 2: return "a[" + whole(1) + " & 3] = fminf(fmaxf(" + real(2) + ", -100.0f), 100.0f);\n";
      case 3:
        if (depth > 0)
          return "if (" + whole(2) + " > 7) {\n" + statement(depth - 1) + "} else {\n" + statement(depth - 1) + "}\n";
        [[fallthrough]];
      case 4:
        if (depth > 0) {
          const std::string k = "k" + std::to_string(depth) + std::to_string(next_);
          return "for (int " + k + " = 0; " + k + " < " + std::to_string(1 + pick(5)) + "; ++" + k + ") {\n" +
                 statement(depth - 1) + "if (" + k + " == 3) continue;\n" + statement(depth - 1) + "}\n";
        }
        [[fallthrough]];
      default: return float_name() + " = fminf(fmaxf(" + real(3) + ", -100.0f), 100.0f);\n";
    }
  }

  std::uint64_t seed_, next_ = 0;
};

constexpr const char* kHostStart =
    "#include <cmath>\n#include <cstdio>\n#include \"core/values/exact_math.h\"\n"
    "static float max_(float a, float b) { return a > b ? a : b == a ? (std::signbit(a) ? b : a) : b; }\n"
    "static float min_(float a, float b) { return a < b ? a : b == a ? (std::signbit(a) ? a : b) : b; }\n"
    "#define fmaxf max_\n#define fminf min_\n#define exp2f tilewalk::exact::exp2f_exact\n"
    "#define log2f tilewalk::exact::log2f_exact\n#define sqrtf std::sqrt\n#define fabsf std::fabs\n#define fmaf "
    "std::fma\n"
    "static float Q[64], L[8];\n";

int number_from(const char* variable, int usual) {
  const char* const text = std::getenv(variable);
  return text ? std::max(1, std::atoi(text)) : usual;
}

}  // namespace

TEST_CASE("generated programs have the bits that this machine's compiler gives them", "[unit]") {
  const int programs = number_from("TILEWALK_PROGRAMS", 60), first = number_from("TILEWALK_FIRST_PROGRAM", 1);
  const TemporaryFolder folder;
  const Problem p;
  const std::vector<float> q = inputs_of(p).q;
  std::string host = kHostStart, calls;
  std::vector<std::uint32_t> lab_bits;
  for (int i = first; i < first + programs; ++i) {
    const std::string body = Writer(std::uint64_t(i)).body();
    const LabRun run = run_text(
        "// launch: grid(1) block(8)\n__global__ void attention(const float* Q, float* L) {\nconst int t = "
        "threadIdx.x;\n" +
            body + "}\n",
        p, 8);
    INFO(body);
    INFO(run.findings_text());
    for (const lab::Finding& each : run.findings()) CHECK(is_warning(each.kind));
    const std::vector<float> l = run.machine->tensor(4);
    for (int t = 0; t < 8; ++t) lab_bits.push_back(exact::bits_of(l[std::size_t(t)]));
    host += "static void f" + std::to_string(i) + "(int t) {\n" + body + "}\n";
    calls += "  for (int t = 0; t < 8; ++t) f" + std::to_string(i) +
             "(t);\n  for (float x : L) std::printf(\"%u\\n\", tilewalk::exact::bits_of(x));\n";
  }
  host += "int main() {\n";
  for (std::size_t at = 0; at < q.size(); ++at)
    host += "  Q[" + std::to_string(at) + "] = tilewalk::exact::float_of(" + std::to_string(exact::bits_of(q[at])) +
            "u);\n";
  host += calls + "}\n";
  const std::string source = folder.path() + "/host.cpp", program = folder.path() + "/host",
                    out = folder.path() + "/out";
  std::ofstream(source) << host;
  const std::string compile = std::string(TILEWALK_CXX) +
                              " -std=c++20 -O1 -w -ffp-contract=off -I" TILEWALK_SOURCE_DIR "/src " + source + " -o " +
                              program + " && " + program + " > " + out;
  REQUIRE(std::system(compile.c_str()) == 0);
  std::ifstream in(out);
  std::vector<std::uint32_t> host_bits;
  for (std::uint32_t bits = 0; in >> bits;) host_bits.push_back(bits);
  REQUIRE(host_bits.size() == lab_bits.size());
  for (std::size_t at = 0; at < host_bits.size(); ++at) {
    INFO("program " << std::size_t(first) + at / 8 << ", thread " << at % 8);
    CHECK(host_bits[at] == lab_bits[at]);
  }
}
