#include "dispatch/kernel/cpp_name.h"

#include <cxxabi.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

std::string written(const CppName& name) {
  std::string out;
  for (const CppWord& word : name.path) {
    out += (out.empty() ? "" : "::") + word.text;
    if (word.arguments.empty() && !word.cut) continue;
    out += '<';
    for (const auto& argument : word.arguments) out += written(*argument) + ',';
    out += word.cut ? "…>" : ">";
  }
  return out;
}

std::string read(std::string_view text) {
  const auto name = cpp_name(text);
  return name ? written(*name) : "none";
}

}  // namespace

TEST_CASE("a name is parsed into words and their bracketed arguments") {
  CHECK(read("void a::b<c, d<1, 2>, e::f<g>::h>(x, y)") == "a::b<c,d<1,2,>,e::f<g,>::h,>");
  CHECK(read("a<(bool)0, (x::Mode)3, (unsigned int)4, 5u, 6ul, true, -7>") == "a<0,3,4,5,6,1,-7,>");
  CHECK(read("void (anonymous namespace)::a<b>(c*, d const*)") == "(anonymous namespace)::a<b,>");
  CHECK(read("void <unnamed>::a<const float *, unsigned int, T1 &>()") == "<unnamed>::a<float,int,T1,>");
  CHECK(read("a<f(int)::{lambda(x)#1}::operator()() const, 2>(int)") == "a<f,2,>");
  CHECK(read("std::enable_if<!(false), void>::type kernel<int, 8>(p)") == "kernel<int,8,>");
  CHECK(read("a<>") == "a");
  CHECK(read("plain_words_64x128") == "plain_words_64x128");
  CHECK(read("") == "none");
  CHECK(read("!?") == "none");
  REQUIRE(cpp_name("a(b::c<1>::d, e)")->parameters.size() == 2);
  CHECK(written(*cpp_name("a(b::c<1>::d, e)")->parameters[0]) == "b::c<1,>::d");
}

TEST_CASE("only the complete parts of a truncated name are parsed, and the result says so") {
  CHECK(read("a<64, 12") == "a<64,…>");
  CHECK(read("a<64, 128, b<2, 3") == "a<64,128,b<2,…>,…>");
  CHECK(read("a<...>") == "a<…>");
  CHECK(read("a<1, 2, ...>") == "a<1,2,…>");
  CHECK(read("a<1, ..., 2>") == "a<1,…>");  // the position of 2 is not known
  CHECK(read("a<(bool)1, (x::Mode)0, (unsign…") == "a<1,0,…>");
  CHECK(read("a(b::cde...") == "a");
  CHECK(number_at(cpp_name("a<64, x>")->arguments(), 0) == 64);
  CHECK(!number_at(cpp_name("a<64, x>")->arguments(), 1));
  CHECK(!number_at(cpp_name("a<64, x>")->arguments(), 2));
}

TEST_CASE("mangled names of kernels are parsed as by the compiler's own demangler") {
  const std::string names =
      test::read_text(std::string(TILEWALK_SOURCE_DIR) + "/tests/fuzz/seeds/kernel_name/mangled.txt");
  int read_names = 0;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = names.find('\n', at);
    const std::string name = names.substr(at, end - at);
    at = end + 1;
    int status = -1;
    char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    REQUIRE(status == 0);
    CAPTURE(name, plain);
    CHECK(read(name) == read(plain));
    CHECK(read(name) != "none");
    std::free(plain);
    ++read_names;
  }
  CHECK(read_names >= 50);
  CHECK(read("_ZN7cutlass13device_kernelIN5flash11enable_sm90INS1_16FlashAttnFwdSm90IN4cute5tupleIJNS4_1CILi128EEENS6_"
             "ILi176EEES7_EEEEEEEEEvNT_6ParamsE") ==
        "cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<cute::tuple<cute::C<128,>,cute::C<176,>,"
        "cute::C<128,>,>,>,>,>");
}

TEST_CASE("a name that would need more memory than its length is not parsed") {
  std::string doubling = "_Z1aI";  // each of its types is twice the one before: 2^200 words if they were written out
  doubling += "1pIiiE";
  for (int i = 0; i < 60; ++i) doubling += "1pIS" + std::string(i ? "A" : "") + "_S" + (i ? "A" : "") + "_E";
  doubling += "Evv";
  (void)cpp_name(doubling);
  CHECK(read(std::string(100, '<')) == "none");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a<";
  CHECK(read(deep) == "none");
  CHECK(read("_Z" + std::string(5000, 'P') + "i") == "none");
  CHECK(read(std::string(kLongestKernelName + 1, 'a')) == "none");
  CHECK(read("_ZN") == "none");
  CHECK(read("_Z1aIXadL_Z1bEEEvv") == "none");
}
