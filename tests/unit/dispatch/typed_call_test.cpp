#include "dispatch/typed_call.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a call is read from one line, as the header writes it and in few words") {
  const CallWords whole = {{"device", "h100"}, {"dtype", "bf16"}, {"batch", "4"}, {"heads", "32"},
                           {"kv-heads", "8"},  {"n-q", "8192"},   {"d", "128"},   {"is-causal", "on"}};
  for (const char* line : {"H100 · bf16 · 4×32/8 heads · N 8,192 · d 128 · causal", "h100 bf16 4x32/8 8192 d128 causal",
                           "h100 bf16 batch 4 heads 32 kv 8 n=8192 d=128 causal",
                           "H100, bf16, batch 4, 32 heads, 8 K/V heads, N 8,192, d 128, causal"}) {
    INFO(line);
    CHECK(typed_call(line) == whole);
  }
  CHECK(typed_call("2×32 heads · no mask") ==
        CallWords{{"batch", "2"}, {"heads", "32"}, {"kv-heads", ""}, {"is-causal", "off"}});
  CHECK(typed_call("d 64 3000") == CallWords{{"d", "64"}, {"n-q", "3000"}});
}

TEST_CASE("a line with another word, or of one field alone, is no call") {
  for (const char* line : {"", "8192", "causal", "go-to-step 28", "h100 bf16 8192 quickly", "4x", "step 3 8192"}) {
    INFO(line);
    CHECK_FALSE(typed_call(line));
  }
}
