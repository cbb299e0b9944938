#include "base/nearest.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("the nearest word is the one with the fewest letters changed") {
  const std::vector<std::string> words = {"flash_v1", "flash_v2", "split_kv"};
  CHECK(nearest("flash_v22", words) == "flash_v2");
  CHECK(nearest("split", words) == "split_kv");
  CHECK(nearest("spilt_kv", words) == "split_kv");
  CHECK(nearest("anything", {}).empty());
}

TEST_CASE("words are spelled alike whatever their capitals and hyphens") {
  CHECK(spelled_alike("FA-2", "fa_2"));
  CHECK(spelled_alike("RTX 3090", "rtx3090"));
  CHECK(spelled_alike("attn_mask", "attn-mask"));
  CHECK(spelled_alike("", "--"));
  CHECK_FALSE(spelled_alike("FA-2", "FA-3"));
  CHECK_FALSE(spelled_alike("rtx3090", "rtx309"));
  CHECK_FALSE(spelled_alike("rtx309", "rtx3090"));
}
