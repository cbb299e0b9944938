#include "session/document/session_file.h"

#include <set>

#include "base/units.h"
#include "core/fields/validate.h"
#include "core/predict/compare.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "tests/support/catch.h"
#include "tests/support/compared.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

std::string refusal(const std::string& text) {
  const auto document = parse_document(text, "x.toml");
  return document ? "accepted" : text_of(document.issues());
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Document full_document() {
  Document document;
  document.title = "odd \"title\" \\ with\nlines and ℓ";
  document.about = "about";
  document.problem.shape.mask = {MaskKind::Window, 3, 1};
  document.problem.shape.heads = 4;
  document.problem.shape.kv_heads = 2;
  document.problem.numerics.scale = 0.1;
  document.problem.numerics.seed = ~0ull;
  document.problem.numerics.base = Base::Two;
  document.problem.fault = Fault::TileMax;
  document.edits = {{TensorId::K, 0, 1, 3, 2, -1.5e-20f}, {TensorId::Q, 0, 3, 0, 0, 2.0f}};
  document.cursor = 9;
  document.view = {.head = 3,
                   .unit = StepUnit::QTile,
                   .speed = 12.5,
                   .dark = false,
                   .text_scale = 1.25,
                   .motion = false,
                   .pace = Pace::Byte,
                   .page = Page::Compare,
                   .filling = Filling::Warps};
  document.pinned.schedule = ScheduleKind::FlashV1;
  document.pinned.problem = document.problem;
  document.pinned.problem->lanes.ping_pong = false;
  document.pinned.problem->numerics.scale.reset();
  document.pinned.chip = true;
  return document;
}

}  // namespace

TEST_CASE("a document written and read is the same document") {
  const auto read = parse_document(document_text(full_document()), "x");
  REQUIRE(read.ok());
  CHECK(*read == full_document());
  const auto plain = parse_document(document_text(Document{}), "x");
  REQUIRE(plain.ok());
  CHECK(*plain == Document{});
}

TEST_CASE(
    "a file that says nothing of page and pinned opens at the walk, and says nothing of them when written again") {
  const auto old = parse_document("[problem]\nn-q = 8\nn-kv = 8\n[view]\ncursor = 3\ntheme = \"light\"\n", "old.toml");
  REQUIRE(old.ok());
  CHECK(old->view.page == Page::Walk);
  CHECK(old->view.filling == Filling::Sms);
  CHECK(old->pinned == Pinned{});
  for (const char* word : {"page", "filling", "pinned"}) CHECK_FALSE(says(document_text(*old), word));
}

TEST_CASE("a pinned problem that cannot be walked is refused, and the message says which of the two problems it is") {
  CHECK(says(refusal("[pinned.problem]\nn-q = 0\n"), "x.toml, line 2, pinned.problem.n-q"));
  CHECK(says(refusal("[pinned.problem]\nbr = 4\nbcc = 4\n"), "pinned.problem.bcc"));
  CHECK(says(refusal("[pinned]\nproblem = 3\n"), "must be a table"));
  CHECK(says(refusal("[pinned]\nschedule = \"flash_v0\"\n"), "pinned.schedule"));
  CHECK(says(refusal("[pinned]\nchip = \"yes\"\n"), "true or false"));
  CHECK(says(refusal("[pinned]\ncolour = 1\n"), "pinned.colour"));
  CHECK(says(refusal("[view]\npage = \"attic\"\n"), "walk, compare, race"));
  CHECK(says(refusal("[view]\nfilling = \"tea\"\n"), "sms, warps"));
}

TEST_CASE("every preset is read, is valid, has a title and a sentence, and survives saving") {
  const auto presets = load_presets(TILEWALK_SOURCE_DIR);
  REQUIRE(presets.ok());
  CHECK(presets->size() >= 10);
  CHECK(presets->front().name == "picture");
  std::set<std::string> titles;
  for (const Preset& preset : *presets) {
    CAPTURE(preset.name);
    CHECK(validate(preset.document.problem).empty());
    CHECK_FALSE(preset.document.about.empty());
    titles.insert(preset.document.title);
    const auto again = parse_document(document_text(preset.document), preset.name);
    REQUIRE(again.ok());
    CHECK(*again == preset.document);
  }
  CHECK(titles.size() == presets->size());
}

TEST_CASE("the preset picture is the problem of the documentation's picture") {
  const auto presets = load_presets(TILEWALK_SOURCE_DIR);
  REQUIRE(presets.ok());
  Problem expected;
  expected.shape.mask.kind = MaskKind::Causal;
  CHECK(presets->front().document.problem == expected);
}

TEST_CASE("a misspelt key is refused with its line") {
  CHECK(says(refusal("[problem]\nbr = 4\nbcc = 4\n"), "x.toml, line 3: x.toml") == false);
  CHECK(says(refusal("[problem]\nbr = 4\nbcc = 4\n"), "line 3"));
  CHECK(says(refusal("titel = \"x\"\n"), "titel"));
  CHECK(says(refusal("[view]\nzoom = 2\n"), "view.zoom"));
}

TEST_CASE("values of the wrong type or outside their range are refused") {
  CHECK(says(refusal("title = 4\n"), "text"));
  CHECK(says(refusal("[problem]\nn-q = \"many\"\n"), "whole number"));
  CHECK(says(refusal("[problem]\nn-q = 0\n"), "n-q"));
  CHECK(says(refusal("[problem]\nn-q = -1\n"), "n-q"));
  CHECK(says(refusal("[problem]\nn-q = 1.5\n"), "whole number"));
  CHECK(says(refusal("[problem]\nn-q = [1]\n"), "text or a number"));
  CHECK(says(refusal("problem = 3\n"), "table"));
  CHECK(says(refusal("[view]\ncursor = -1\n"), "at least 0"));
  CHECK(says(refusal("[view]\ncursor = 100000\n"), "past the last step"));
  CHECK(says(refusal("[view]\ntext-scale = 9\n"), "0.8"));
  CHECK(says(refusal("[view]\nspeed = nan\n"), "number"));
  CHECK(says(refusal("[view]\ntheme = \"pink\"\n"), "dark, light"));
  CHECK(says(refusal("[view]\nhead = 1\n"), "head"));
  CHECK(says(refusal("[[edit]]\nrow = 99\n"), "outside"));
  CHECK(says(refusal("edit = 3\n"), "edit"));
}

TEST_CASE("text that is not TOML, and too much of it, is refused") {
  CHECK(says(refusal("[problem\n"), "line 1"));
  CHECK(says(refusal(std::string("\xff\xfe", 2)), "x.toml"));
  CHECK(says(refusal(std::string(kMaxSessionBytes + 1, ' ')), "too large"));
}

TEST_CASE("a key, a table and a list of thousands of levels are refused before they are parsed") {
  const auto many = [](const std::string& piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
  };
  for (const int levels : {100, 35'000, 100'000}) {
    CAPTURE(levels);
    CHECK(says(refusal(many("a.", levels) + "a = 1\n"), "deeper than 16"));
    CHECK(says(refusal("[" + many("a.", levels) + "a]\n"), "deeper than 16"));
    CHECK(says(refusal("[[" + many("a . ", levels) + "a]]\n"), "deeper than 16"));
    CHECK(says(refusal(many("\"a.#\".'b'.", levels / 2) + "a = 1\n"), "deeper than 16"));
    CHECK(says(refusal("x = " + many("[", levels)), "deeper than 16"));
    CHECK(says(refusal("x = " + many("{a=", levels)), "deeper than 16"));
    CHECK(says(refusal("x = {" + many("a.", levels) + "a = 1}"), "deeper than 16"));
    CHECK(says(refusal("title = \"\"\" x \\\"\"\" \n\"\"\"\"\n" + many("a.", levels) + "a = 1\n"), "line 3"));
    CHECK(says(refusal("title = ''' \\'''\n" + many("a.", levels) + "a = 1\n"), "line 2"));
    CHECK(says(refusal("# \"\n" + many("a.", levels) + "a = 1\n"), "line 2"));
  }
  CHECK(says(refusal("x = [" + many("1,", 200'000) + "]"), "50,000"));
}

TEST_CASE("dots and brackets inside text and comments are no levels") {
  const std::string dots(1000, '.'), brackets(1000, '[');
  for (const char* quotes : {"\"", "'", "\"\"\"", "'''"}) {
    const auto document =
        parse_document(std::string("title = ") + quotes + dots + brackets + quotes + "\n[problem]\n", "x.toml");
    INFO((document ? "" : text_of(document.issues())));
    REQUIRE(document.ok());
    CHECK(document->title == dots + brackets);
  }
  CHECK(refusal("# " + dots + brackets + "\ntitle = \"x\" # " + dots + "\n[problem]\n") == "accepted");
}

TEST_CASE("the largest session that can be saved can be read again") {
  Document document;
  for (int i = 0; i < 4096; ++i)
    document.edits.push_back(
        {.tensor = TensorId::Q, .batch = 0, .head = 0, .row = i % 16, .col = i % 4, .value = -1.5e-20f});
  document.title = std::string(10'000, '.');
  const auto again = parse_document(document_text(document), "x.toml");
  INFO((again ? "" : text_of(again.issues())));
  REQUIRE(again.ok());
  CHECK(*again == document);
}

TEST_CASE("a refusal of a session names line, key, value, rule and what to do, and reports a newer format") {
  const auto one = [](const std::string& text) { return parse_document(text, "x.toml").issues().at(0); };
  const Issue speed = one("[view]\nspeed = 1e9\n");
  CHECK(speed.field == "x.toml, line 2, view.speed");
  CHECK(speed.value == "1e+09");
  for (const char* text :
       {"titel = 1\n", "title = 4\n", "[view]\ncursor = -1\n", "[view]\ntheme = 3\n", "problem = 3\n",
        "[pinned]\nchip = 4\n", "[view]\nhead = 7\n", "[view]\ncursor = 99999\n", "[[edit]]\nrow = 99\n", "edit = 3\n",
        "[problem]\nn-q = [1]\n", "[problem]\nn-q = 0\n", "format = 0\n"}) {
    const Issue issue = one(text);
    CAPTURE(text, issue.text());
    CHECK_FALSE(issue.field.empty());
    CHECK_FALSE(issue.value.empty());
    CHECK_FALSE(issue.rule.empty());
    CHECK_FALSE(issue.suggestion.empty());
  }
  CHECK(says(refusal("titel = 1\n"), "the nearest is title"));
  CHECK(says(refusal("format = 2\nglow = 1\n"), "newer Tilewalk"));
  CHECK(refusal("format = 1\n[problem]\n") == "accepted");
  CHECK(one("[problem\n").suggestion == "Correct that line; the file is TOML");
}

TEST_CASE("a file without a problem is not a session, however little it has") {
  for (const char* text : {"", "# a comment\n", "\n\n", "format = 1\n"}) {
    CAPTURE(text);
    CHECK(says(refusal(text), "is not a session, or is incomplete"));
  }
}

TEST_CASE("each field of a problem that is out of range is reported with its line") {
  const auto read = parse_document("[problem]\nn-q = -1\nd = 0\nseed = -3\nbr = 0\n", "x.toml");
  REQUIRE_FALSE(read.ok());
  const std::string text = text_of(read.issues());
  for (const char* part :
       {"line 2, problem.n-q = -1", "line 3, problem.d = 0", "line 4, problem.seed = -3", "line 5, problem.br = 0"}) {
    INFO(part << " in " << text);
    CHECK(says(text, part));
  }
}

TEST_CASE("a document that could not be read again is not saved") {
  test::TemporaryFolder folder;
  Document document;
  document.paths.q = folder.file("t\xff.npy");
  const auto saved = save_document(document, folder.file("s.toml"));
  REQUIRE_FALSE(saved.ok());
  CHECK(says(text_of(saved.issues()), "not UTF-8"));
  CHECK(std::filesystem::is_empty(folder.path()));
  document.paths = {};
  document.title = "t\xff";  // a title may lose a byte
  REQUIRE(save_document(document, folder.file("s.toml")).ok());
  CHECK(load_document(folder.file("s.toml"))->document.title == "t\uFFFD");
}

TEST_CASE("all faults of a file are reported at once") {
  const auto document = parse_document("titel = 1\n[view]\nspeed = \"fast\"\ncursor = -2\n", "x");
  REQUIRE_FALSE(document.ok());
  CHECK(document.issues().size() == 3);
}

TEST_CASE("paths are stored relative to the session's folder") {
  test::TemporaryFolder folder;
  Document document;
  document.paths.q = folder.file("data/q.npy");
  document.paths.k = "/elsewhere/k.npy";
  REQUIRE(save_document(document, folder.file("s.toml")).ok());
  CHECK(says(test::read_text(folder.file("s.toml")), "q = \"data/q.npy\""));
  const auto read = load_document(folder.file("s.toml"));
  REQUIRE(read.ok());
  CHECK(read->document == document);
}

TEST_CASE("saving leaves one whole file and replaces an older one") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("s.toml"), "old");
  REQUIRE(save_document(full_document(), folder.file("s.toml")).ok());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  const auto read = load_document(folder.file("s.toml"));
  REQUIRE(read.ok());
  CHECK(read->document == full_document());
}

TEST_CASE("the command line of a document names its differences from the defaults") {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.cursor = 28;
  CHECK(command_line_for(document, "replay") ==
        "tilewalk replay --n 16 --d 4 --br 4 --bc 4 --mask causal --sram 1024 --step 28");
  document.problem.shape.n_kv = 20;
  document.problem.shape.heads = 2;
  document.paths.q = "it's q.npy";
  document.edits = {{TensorId::V, 0, 0, 1, 2, 0.5f}};
  CHECK(command_line_for(document, "counters") ==
        "tilewalk counters --n-q 16 --n-kv 20 --d 4 --br 4 --bc 4 --heads 2 --kv-heads 1 --mask causal --sram 1024 "
        "--q 'it'\\''s q.npy' --edit V:0:0:1:2=0.5 --at 28");
}

TEST_CASE("session files and the view's command line keep an optimisation that is off") {
  Document document;
  document.problem.schedule = ScheduleKind::FlashV3;
  document.problem.tiling.stages = 6;
  document.problem.lanes.ping_pong = false;
  document.problem.lanes.overlap = false;
  document.problem.lanes.exp2_share = 0.5;
  const Result<Document> again = parse_document(document_text(document), "again.toml");
  REQUIRE(again.ok());
  CHECK(again->problem == document.problem);
  const std::string line = command_line_for(document, "replay");
  for (const char* words : {"--stages 6", "--ping-pong off", "--overlap off", "--exp2-share 0.5"})
    CHECK(line.find(words) != std::string::npos);
  CHECK(line.find("--specialised") == std::string::npos);
}

TEST_CASE("session files and the view's command line have S in 16 bits, and older files are as they were") {
  Document document;
  document.problem.schedule = ScheduleKind::Standard;
  document.problem.numerics.dtype = DType::Bf16;
  CHECK(document_text(document).find("narrow") == std::string::npos);
  CHECK(command_line_for(document, "replay").find("narrow") == std::string::npos);
  document.problem.numerics.narrow_scores = true;
  const Result<Document> again = parse_document(document_text(document), "again.toml");
  REQUIRE(again.ok());
  CHECK(again->problem == document.problem);
  CHECK(command_line_for(document, "replay").find("--narrow-scores on") != std::string::npos);
}

TEST_CASE("a comparison's pace, a file for dO and edits of dO are kept") {
  Document d;
  d.problem.schedule = ScheduleKind::Backward;
  d.view.pace = Pace::Byte;
  d.paths.d_o = "gradient.npy";
  d.edits = {{TensorId::dO, 0, 0, 3, 1, 2.5f}};
  const auto again = parse_document(document_text(d), "again.toml");
  INFO((again ? "" : text_of(again.issues())));
  REQUIRE(again.ok());
  CHECK(*again == d);
  CHECK(command_line_for(d, "replay").find("--do gradient.npy") != std::string::npos);
  CHECK(command_line_for(d, "replay").find("--edit dO:0:0:3:1=2.5") != std::string::npos);
}

TEST_CASE("presets that call a tiled schedule slower are right, by the model's own figures") {
  const auto presets = load_presets(TILEWALK_SOURCE_DIR);
  REQUIRE(presets.ok());
  const auto of = [&](const std::string& name) {
    for (const Preset& p : *presets)
      if (p.name == name) return p.document;
    FAIL("there is no preset " << name);
    return Document{};
  };
  const auto row = [](const Comparison& c, const std::string& id) {
    for (const CompareRow& r : c.rows)
      if (r.id == id) return r;
    FAIL("there is no row " << id);
    return CompareRow{};
  };
  const Document fa1 = of("short-fa1");
  const Comparison bytes = test::compared(under_schedule(fa1.problem, ScheduleKind::Standard), fa1.problem);
  const CompareRow all = row(bytes, "all");
  CHECK(all.right > all.left);
  CHECK(says(fa1.about, format_bytes(std::int64_t(all.right)) + " asked for"));
  CHECK(says(fa1.about, "asks for " + format_bytes(std::int64_t(all.left))));
  CHECK(all.right / all.left == Approx(1.4).margin(0.05));
  const Document query = of("one-query");
  const Comparison time = test::compared(under_schedule(query.problem, ScheduleKind::SplitKv), query.problem);
  CHECK(row(time, "sms").right == 1);
  CHECK(row(time, "sms").left == 4);
  CHECK(says(query.about, "one SM works where four could"));
  CHECK(time.too_small());
  const Problem short_wide = of("short").problem;
  const Comparison ledger = test::compared(under_schedule(short_wide, ScheduleKind::Standard), short_wide);
  CHECK(row(ledger, "ledger").right > row(ledger, "ledger").left);
}

TEST_CASE("a session file says that the call is compared, and by default does not mention it") {
  Document document;
  document.view.page = Page::Compare;
  CHECK(document_text(document).find("compared") == std::string::npos);
  document.view.compared = Compared::Call;
  const auto read = parse_document(document_text(document), "session.toml");
  REQUIRE(read.ok());
  CHECK(read->view.compared == Compared::Call);
}
