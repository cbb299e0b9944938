#include "session/document/opening.h"

#include <filesystem>

#include "files/tensor_files.h"
#include "session/document/session_file.h"
#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"
#include "tests/unit/lab_judge/trace_file.h"
#include "trace/recording.h"

using namespace tilewalk;
using test::save_tensor;

namespace {

// A session with a file for Q, and a count of how often its files were read.
struct WithFile {
  test::TemporaryFolder folder;
  std::string path = folder.file("q.npy");
  int reads = 0;
  std::unique_ptr<Session> session;

  explicit WithFile(ScheduleKind kind = ScheduleKind::FlashV2) {
    write(0.5f, 16);
    Document d;
    d.problem.schedule = kind;
    d.problem.machine.sram_bytes = 1 << 20;
    d.paths.q = path;
    d.cursor = 20;
    SessionSetup setup;
    setup.load_inputs = [this](const Document& document) {
      ++reads;
      return load_inputs(document);
    };
    auto opened = Session::open(d, std::move(setup));
    INFO((opened ? "" : text_of(opened.issues())));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  void write(float value, std::int64_t rows) const {
    const std::vector<float> values(std::size_t(rows * 4), value);
    REQUIRE(save_tensor(path, "q", values, {1, 1, rows, 4}, DType::Fp32).ok());
  }
  void write_later(float value, std::int64_t rows) const {  // however coarse the file system's clock is
    write(value, rows);
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
  }
  void apply(const char* field, const char* text) {
    session->dispatch(EditField{field, text});
    session->dispatch(ApplyEdit{});
  }
  float shown() const { return session->inputs().at({TensorId::Q}, 1, 1); }
};

bool says_changed(const Session& s) {
  return s.message() && s.message()->text.find("has changed on disk") != std::string::npos;
}

}  // namespace

TEST_CASE("files are read once, whatever else is edited") {
  WithFile f(ScheduleKind::FlashV3);
  CHECK(f.reads == 1);
  f.session->dispatch(SetLaneOption{LaneOption::PingPong, 0});
  f.session->dispatch(EditValue{TensorId::K, 0, 0, "2"});
  f.apply("br", "2");
  f.apply("seed", "8");
  CHECK(f.session->problem().tiling.br == 2);
  CHECK(f.session->problem().numerics.seed == 8);
  CHECK(f.reads == 1);
  CHECK(f.shown() == 0.5f);
  CHECK_FALSE(f.session->message());
}

TEST_CASE("files are read again for another shape, and a file that does not fit it is refused") {
  WithFile f;
  f.apply("n-kv", "8");
  CHECK(f.reads == 2);
  CHECK(f.session->problem().shape.n_kv == 8);
  f.apply("n-q", "8");
  CHECK(f.reads == 3);
  REQUIRE(f.session->editing().draft_issues().size() == 1);
  CHECK(f.session->editing().draft_issues()[0].rule == "does not fit the problem's shape");
  CHECK(f.session->problem().shape.n_q == 16);
}

TEST_CASE("a file that changed on disk is reported and not used until it is opened again") {
  WithFile f;
  CHECK_FALSE(says_changed(*f.session));
  f.write_later(0.75f, 16);
  f.session->dispatch(EditValue{TensorId::K, 0, 0, "2"});
  CHECK(says_changed(*f.session));
  CHECK(f.shown() == 0.5f);
  f.apply("n-kv", "8");
  CHECK(f.reads == 1);
  REQUIRE(f.session->editing().draft_issues().size() == 1);
  CHECK(f.session->editing().draft_issues()[0].rule == "has changed on disk since it was opened");
  CHECK(f.session->problem().shape.n_kv == 16);
  CHECK(f.shown() == 0.5f);

  Document kept = f.session->document();
  REQUIRE(save_document(kept, f.folder.file("s.toml")).ok());
  f.session->dispatch(OpenFile{f.folder.file("s.toml")});
  CHECK(f.reads == 2);
  CHECK(f.shown() == 0.75f);
  f.session->dispatch(EditValue{TensorId::K, 0, 0, "3"});
  CHECK_FALSE(says_changed(*f.session));
}

TEST_CASE("an opened document is passed on, neither read nor planned again") {
  WithFile f;
  const Result<Opening> opening = open_document({f.session->document(), nullptr}, load_inputs);
  REQUIRE(opening.ok());
  f.write_later(0.75f, 16);
  CHECK(changed_files(opening->read) == std::vector<std::string>{f.path});
  const auto handed = Session::of(*opening, {});
  CHECK(&handed->schedule() == opening->schedule.get());
  CHECK(handed->inputs().at({TensorId::Q}, 1, 1) == 0.5f);
}

TEST_CASE("a document with files is refused where files cannot be read") {
  Document d;
  d.paths.q = "q.npy";
  const auto opened = Session::open(d, {});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.issues()[0].rule == "input files cannot be read here");
}

TEST_CASE("a file of q, k and v opens as a problem of their shape") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("layer.safetensors");
  Result<OutputFile> out = OutputFile::open(*tensor_request("out", path, DType::Fp16));
  REQUIRE(out.ok());
  const std::vector<float> q(2 * 24 * 8, 0.5f), k(1 * 32 * 8, 0.25f);
  REQUIRE(write_tensors(*out, {{"q", q, {1, 2, 24, 8}, DType::Fp16},
                               {"k", k, {1, 1, 32, 8}, DType::Fp16},
                               {"v", k, {1, 1, 32, 8}, DType::Fp16}})
              .ok());
  REQUIRE(rename_into_place({&*out, 1}).ok());
  SessionSetup setup;
  setup.load_inputs = load_inputs;
  auto opened = Session::open({}, std::move(setup));
  REQUIRE(opened.ok());
  Session* const session = opened->get();
  session->dispatch(OpenFile{path});
  INFO((session->message() ? session->message()->text : ""));
  const Problem& p = session->problem();
  CHECK(p.shape.heads == 2);
  CHECK(p.shape.kv_heads == 1);
  CHECK(p.shape.n_q == 24);
  CHECK(p.shape.n_kv == 32);
  CHECK(p.shape.d == 8);
  CHECK(p.numerics.dtype == DType::Fp16);
  CHECK(session->inputs().at({TensorId::K}, 31, 7) == 0.25f);
  CHECK(session->editing().path().empty());  // saving does not overwrite the tensors
}

TEST_CASE("a recording opens as its problem, and a file that opens as nothing says why") {
  const std::string folder = TILEWALK_SOURCE_DIR "/assets/recordings";
  const auto paths = recording_paths(folder);
  REQUIRE_FALSE(paths.empty());
  SessionSetup setup;
  setup.load_inputs = load_inputs;
  auto opened = Session::open({}, std::move(setup));
  REQUIRE(opened.ok());
  Session* const session = opened->get();
  session->dispatch(OpenFile{paths.front()});
  const auto recorded = load_recording(paths.front());
  REQUIRE(recorded.ok());
  CHECK(session->problem() == recorded->problem);

  const test::TemporaryFolder other;
  const std::string single = other.file("q.npy"), part = other.file("part.safetensors");
  REQUIRE(save_tensor(single, "q", std::vector<float>(16), {4, 4}, DType::Fp32).ok());
  REQUIRE(save_tensor(part, "q", std::vector<float>(16), {4, 4}, DType::Fp32).ok());
  session->dispatch(OpenFile{single});
  CHECK(session->message()->text.find("a problem needs Q, K and V") != std::string::npos);
  session->dispatch(OpenFile{part});
  CHECK(session->message()->text.find("k: is missing") != std::string::npos);
  CHECK(session->problem() == recorded->problem);

  for (const char* name : {"picture.png", "notes.md", "notes", ".toml.swp"}) {
    test::write_text(other.file(name), "\x89PNG\r\n");
    session->dispatch(OpenFile{other.file(name)});
    CHECK(session->message()->text.find(std::string(name) + ": is not a kind of file") != std::string::npos);
  }
  session->dispatch(OpenFile{other.file("gone.png")});
  CHECK(session->message()->text.find("there is no such file") != std::string::npos);
  session->dispatch(OpenFile{other.path()});
  CHECK(session->message()->text.find("is a folder") != std::string::npos);
  CHECK(session->problem() == recorded->problem);
}

TEST_CASE("a trace opens as its problem at the first wrong visit, with the verdict") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("mine.safetensors");
  Problem p = test::lab_problem(24, 40, 16, 8, 8, MaskKind::Causal);
  p.shape.heads = 2;
  const ExposingInputs in = exposing_inputs(p, 0);
  SessionSetup setup;
  setup.load_inputs = load_inputs;
  auto opened = Session::open({}, std::move(setup));
  REQUIRE(opened.ok());
  Session* const session = opened->get();
  for (const char* mistake : {"", "no-rescale-o"}) {
    const auto run = test::TiledKernel{.mistake = mistake}.run(p, in);
    REQUIRE(save_safetensors(test::trace_file(p, Base::E, in, run), path).ok());
    session->dispatch(OpenFile{path});
    REQUIRE(session->message());
    const std::string text = session->message()->text;
    CAPTURE(text);
    CHECK(session->problem().shape == p.shape);
    CHECK(session->problem().tiling.bc == 8);
    CHECK(session->inputs().at({TensorId::K, 0, 0}, 3, 5) == in.k[3 * 16 + 5]);
    if (*mistake == 0) {
      CHECK(text.find("Right: 12 visits and the results.") != std::string::npos);
      CHECK(session->walk().cursor() == 0);
      continue;
    }
    CHECK(text.find("Wrong at visit 3, head 0, Q tile 1, KV tile 1, row 10") != std::string::npos);
    CHECK(text.find("o was not multiplied by α since visit 3.") != std::string::npos);
    CHECK(session->walk().cursor() ==
          make_schedule(session->problem())->end_step_of_visit(0, {.q_tile = 1, .kv_tile = 1}));
  }
}

TEST_CASE("presets read on the way are passed on and not read again") {
  Opening opening;
  opening.presets.push_back({"own", {}});
  CHECK(take_presets(opening, TILEWALK_SOURCE_DIR).size() == 1);
  CHECK(take_presets(opening, TILEWALK_SOURCE_DIR).size() > 20);  // those are passed on
  CHECK(take_presets(opening, "/nowhere").empty());
}

TEST_CASE("a file with rows before heads is read in that order, and its document says so") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("q.npy");
  constexpr std::int64_t rows = 8, heads = 2, d = 4;
  std::vector<float> values(std::size_t(rows * heads * d));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  REQUIRE(save_tensor(path, "q", values, {1, rows, heads, d}, DType::Fp32).ok());
  Document document;
  document.problem.shape.heads = document.problem.shape.kv_heads = heads;
  document.problem.shape.n_q = document.problem.shape.n_kv = rows;
  document.problem.shape.d = d;
  document.paths.q = path;
  CHECK_FALSE(load_inputs(document));  // 8 heads of 2 rows
  document.paths.rows_first = true;
  const Result<LoadedInputs> read = load_inputs(document);
  REQUIRE(read);
  const Tensor& q = *read->tensors.q;
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < d; ++c) CHECK(q.row(0, h, r)[c] == float((r * heads + h) * d + c));
  const std::string text = document_text(document);
  CHECK(text.find("layout = \"bshd\"") != std::string::npos);
  const auto again = parse_document(text, "again.toml");
  REQUIRE(again);
  CHECK(again->paths == document.paths);
  CHECK(command_line_for(document, "run").find("--layout bshd") != std::string::npos);
}
