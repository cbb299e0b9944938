// The simulator needs no window: this program links only the libraries from base to view, and walks and checks a
// problem.
#include "core/replay/replay.h"
#include "session/document/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "trace/recording.h"
#include "trace/verify.h"
#include "view/sentence/sentence.h"

using namespace tilewalk;

namespace {

Problem picture() {
  Problem p;
  p.shape.mask.kind = MaskKind::Causal;
  return p;
}

}  // namespace

TEST_CASE("without window, OpenGL or GPU libraries a problem can be walked, with a sentence for each step") {
  const std::shared_ptr<const Schedule> schedule = make_schedule(picture());
  Replay replay(schedule, Inputs(picture()));
  for (std::int64_t k = 0; k <= schedule->step_count(); ++k)
    REQUIRE(step_sentence(*schedule, replay.at(k)).size() > 10);
  const std::string maps = test::read_text("/proc/self/maps");
  REQUIRE(maps.size() > 100);
  for (const char* library : {"libGL", "libEGL", "libepoxy", "libglfw", "libX11", "libcuda"})
    CHECK(maps.find(library) == std::string::npos);
}

TEST_CASE("without window, OpenGL or GPU libraries a problem can be checked against its recording") {
  const std::string path = find_recording(std::string(TILEWALK_SOURCE_DIR) + "/assets/recordings", picture());
  if (path.empty()) return test::skip("no recording of the first preset");
  const auto trace = load_recording(path);
  REQUIRE(trace.ok());
  const CheckReport report = verify(make_schedule(picture()), Inputs(picture()), std::make_shared<const Trace>(*trace),
                                    {trace->provenance.kernel_digest});
  CHECK(report.verdict == Verdict::Equal);
  CHECK(report.tile_visits == 10);
}
