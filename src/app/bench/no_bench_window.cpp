// Built without the window: reports that the benches need it.
#include "app/bench/bench_window.h"

namespace tilewalk {

Result<WindowBench> bench_window(bool, bool) {
  return Issue{"bench", "", "this build was made without the window", "Configure with TILEWALK_GUI=ON"};
}

}  // namespace tilewalk
