#include "view/words/units.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a result has four decimals, and a small one as many as two digits need") {
  CHECK(result_number(-11.671634) == "−11.6716");
  CHECK(result_number(0.0000152714) == "0.000015");
  CHECK(result_number(0) == "0.0000");
  CHECK(result_number(-0.00012) == "−0.00012");
  CHECK(result_number(std::numeric_limits<double>::quiet_NaN()) == "not a number");
}

TEST_CASE("a count of one has no plural") {
  CHECK(counted(1, "tile visit") == "1 tile visit");
  CHECK(counted(0, "row") == "0 rows");
  CHECK(counted(16384, "row") == "16,384 rows");
}

TEST_CASE("scores are shown in natural units in base e and unchanged in base 2") {
  Problem p;
  CHECK(display_score(p, 1.0f) == Approx(std::log(2.0)));
  p.numerics.base = Base::Two;
  CHECK(display_score(p, 1.0f) == 1.0f);
  CHECK(std::isinf(display_score(p, -std::numeric_limits<float>::infinity())));
}

TEST_CASE("numbers carry a true minus sign and never a minus before zero") {
  CHECK(signed_number(-0.524) == "−0.52");
  CHECK(signed_number(-0.001) == "0.00");
  CHECK(signed_number(-std::numeric_limits<double>::infinity()) == "−∞");
  CHECK(signed_number(std::nan("")) == "not a number");
}

TEST_CASE("compact numbers have at most six characters") {
  CHECK(compact_number(12.345) == "12.35");
  CHECK(compact_number(-123.45) == "−123.5");
  CHECK(compact_number(12345678.0) == "1e+07");
}

TEST_CASE("the problem's line has its differences from the plain case") {
  Problem p;
  p.shape.mask.kind = MaskKind::Causal;
  CHECK(problem_title(p) == "N 16 · d 4 · tile 4×4 · causal · seed 7");
  p.shape.n_kv = 32;
  p.numerics.base = Base::Two;
  p.fault = Fault::TileMax;
  CHECK(problem_title(p) ==
        "N 16 × 32 · d 4 · tile 4×4 · causal · base 2 · seed 7 · mistake: uses this tile's max only");
}

TEST_CASE("where there is less room the problem is told in fewer words, the least telling words going first") {
  Problem p;
  p.shape.mask.kind = MaskKind::Causal;
  p.shape.heads = 4;
  p.shape.kv_heads = 2;
  p.numerics.dtype = DType::Fp16;
  CHECK(problem_titles(p) == std::vector<std::string>{"N 16 · heads 4 on 2 · d 4 · tile 4×4 · causal · fp16 · seed 7",
                                                      "N 16 · heads 4 on 2 · d 4 · tile 4×4 · causal · fp16",
                                                      "N 16 · heads 4 on 2 · d 4 · tile 4×4 · causal",
                                                      "N 16 · heads 4 on 2 · d 4 · causal", "N 16 · d 4 · causal",
                                                      "N 16 · d 4", "N 16"});
  p.fault = Fault::TileMax;  // a fault is always in the line
  for (const std::string& title : problem_titles(p)) CHECK(title.ends_with(" · mistake: uses this tile's max only"));
}
