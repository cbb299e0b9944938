#include "app/cli/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "core/schedules/fields/fields.h"

#include "app/cli/then.h"

#ifndef TILEWALK_VERSION
#define TILEWALK_VERSION "0"
#endif

namespace tilewalk {
namespace {

struct Flag {
  const char* name;
  const char* value;
  const char* help;
};

// Beside the fields of the problem: what stands for several of them, and files. Each comes before a field in --help.
struct WideFlag {
  Flag flag;
  const char* before;
};
constexpr WideFlag kWideFlags[] = {
    {{"preset", "NAME", "Start from a preset (default: picture)"}, "schedule"},
    {{"session", "FILE", "Start from a saved session (.toml)"}, "schedule"},
    {{"n", "LENGTH", "Both lengths"}, "n-q"},
    {{"tiles", "NAME",
      "In place of --br and --bc: released (this schedule's own kernel), fa1, fa2, fa3, split-kv or paper"},
     "splits"},
    {{"q", "FILE", "Q from .npy or .safetensors; shape and dtype come with it"}, "device"},
    {{"k", "FILE", "K likewise"}, "device"},
    {{"v", "FILE", "V likewise"}, "device"},
    {{"do", "FILE", "dO of a backward pass likewise, in the shape of Q"}, "device"},
};

// Every verb about a problem has these.
std::vector<Flag> problem_flags() {
  std::vector<Flag> out;
  for (const Field& field : fields()) {
    for (const WideFlag& wide : kWideFlags)
      if (wide.before == std::string_view(field.name)) out.push_back(wide.flag);
    out.push_back({field.name, field.type, field.help.c_str()});
  }
  return out;
}

struct VerbSpec {
  Verb verb;
  const char* name;
  const char* help;
  bool about_a_problem;
  std::vector<Flag> options;
  std::vector<Flag> switches;
  const char* examples;
};

const std::vector<VerbSpec>& verb_specs() {
  static const std::vector<VerbSpec> specs = {
      {Verb::Replay,
       "replay",
       "The state at a step, or the whole walk, step by step",
       true,
       {{"step", "K", "State after K steps (default: where the session stands, else the end)"},
        {"tile", "I,J", "State after Q tile I has met KV tile J"},
        {"at-batch", "INDEX", "Which batch entry --tile and --walk speak of"},
        {"at-head", "INDEX", "Which query head --tile and --walk speak of"},
        {"then", "COMMANDS", "Commands of the window, carried out first: the state where they lead"}},
       {{"walk", "", "Every step, one after the other"}},
       "  tilewalk replay --walk\n  tilewalk replay --tile 2,1\n  tilewalk replay --preset paper --step 12 --json\n"
       "  tilewalk replay --n 4096 --d 128 --mask causal --tile 31,7\n"
       "  tilewalk replay --then 'set-schedule flash_v1; go-to-tile 2,1; step-back'\n"},
      {Verb::Counters,
       "counters",
       "Bytes and FLOPs, counted from the schedule's own steps",
       true,
       {{"at", "K", "Totals before step K (default: the whole run)"},
        {"against", "SCHEDULE", "The same problem by another schedule beside it, and where that stands in step"}},
       {{"hardware", "", "Beside them what a GPU's own counters said, where this problem was measured"},
        {"warps", "", "Beside them what the warps of a thread block share, split by keys and split by rows"}},
       "  tilewalk counters\n  tilewalk counters --against flash_v1 --at 40\n  tilewalk counters --n 16777216 --d 64 --mask causal --json\n  tilewalk counters "
       "--schedule standard --at 40\n"},
      {Verb::Verify,
       "verify",
       "Hold every tile visit of the replay against a kernel, bit for bit",
       true,
       {},
       {{"recorded", "", "Against recordings made on a GPU (the default)"},
        {"live", "", "Against the GPU in this machine"},
        {"cpu", "", "Against the kernel source, run on the CPU"},
        {"fast", "", "The recorded states of the fast kernels, each visit against float64 by FlashAttention's rule"},
        {"all", "", "All presets, or with --recorded every recording there is"},
        {"float64", "", "With --all, too: the distance from float64, under FlashAttention's rule"}},
       "  tilewalk verify --recorded\n  tilewalk verify --recorded --all\n  tilewalk verify --cpu --n 200 --d 40 "
       "--mask causal\n"
       "  tilewalk verify --recorded --fault forget-rescale-o\n  tilewalk verify --fast\n"},
      {Verb::Run,
       "run",
       "Just the attention, by the chosen schedule, to a file",
       true,
       {{"out", "FILE", "O, as .npy or .safetensors"}, {"lse", "FILE", "L, fp32 [batch, heads, n]"}},
       {{"no-reference", "", "Leave out the comparison with float64"}},
       "  tilewalk run --q q.npy --k k.npy --v v.npy --mask causal --out o.npy --lse l.npy\n"
       "  tilewalk run --n 1024 --d 64 --schedule standard --out o.safetensors\n"},
      {Verb::Record,
       "record",
       "Run the traced kernel on the GPU and keep the trace",
       true,
       {{"out", "FILE", "The recording, .safetensors"},
        {"into", "FOLDER", "Instead of --out: the name under which verify looks for it"},
        {"detail", "WHAT", "state or hashes (default: state while it is small)"}},
       {},
       "  tilewalk record --preset paper --out paper.safetensors\n  tilewalk record --n 4096 --d 64 --detail hashes "
       "--out long.safetensors\n"},
      {Verb::Render,
       "render",
       "Draw the window to a picture; needs no display",
       true,
       {{"out", "FILE", "The picture, .png"},
        {"size", "WxH", "In pixels (default 1600x900)"},
        {"step", "K", "State after K steps"},
        {"then", "COMMANDS", "Commands of the window, carried out first; tilewalk replay --help lists them"},
        {"theme", "NAME", "dark or light"},
        {"ui-scale", "X", "Text size, 0.8 to 3"},
        {"panel", "NAME", "Only one panel: header, memory, scores, side, transport or traffic"},
        {"page", "NAME", "walk, compare, warps (compare with a thread block's warps in place of the SMs), chip (with the chip's own lanes) or race (default: the session's)"},
        {"race", "FILE", "The page of the race with a race that --csv kept, shown as run here"},
        {"dialog", "NAME", "With a dialog open: problem, presets, open, save, go-to, keys, palette or traffic"}},
       {},
       "  tilewalk render --out window.png\n  tilewalk render --preset window --step 40 --size 1280x720 --theme light "
       "--out window.png\n"
       "  tilewalk render --then 'go-to-tile 2,1; select 9,6; show compare' --out window.png\n"},
      {Verb::Bench,
       "bench",
       "The budgets, each with its reference measured in the same run",
       false,
       {},
       {},
       "  tilewalk bench\n  tilewalk bench replay --json\n"},
      {Verb::Devices,
       "devices",
       "GPUs found, what each kernel needs, and what is missing",
       true,
       {},
       {},
       "  tilewalk devices\n  tilewalk devices --json\n"},
      {Verb::Race,
       "race",
       "The fast kernels timed here, side by side, and the race recorded on an H200",
       false,
       {{"n", "LENGTHS", "Such as 1024,4096 (default: 512 to 4096 on a CPU, 1024 to 65536 on a GPU)"},
        {"d", "SIZES", "Head sizes, 1 to 256 (default: 64,128)"},
        {"causal", "WHICH", "on, off or both (default: both)"},
        {"pass", "PASS", "forward, backward or both (a CPU has the forward pass)"},
        {"dtype", "TYPE", "CPU: fp32 (default) or bf16; GPU: bf16 (default) or fp16"},
        {"threads", "COUNT", "Of the CPU race (default: all)"},
        {"csv", "FILE", "Where the raw samples go, in the format of assets/measurements"}},
       {{"gpu", "", "The rungs of kernels/fast on the GPU in this machine"},
        {"cpu", "", "Naive attention by OpenBLAS and the tiled kernel, on this processor"},
        {"recorded", "", "The race recorded on an H200, beside PyTorch's backends"},
        {"timeline", "", "When each warpgroup of flash_v3 waited, multiplied and exponentiated, stamped on an H200"}},
       "  tilewalk race                  (the GPU's race; without a GPU the recorded one, then the CPU's)\n"
       "  tilewalk race --recorded --n 16384 --d 128\n"
       "  tilewalk race --cpu --n 2048 --d 64 --threads 1 --causal off\n  tilewalk race --gpu --json --csv race.csv\n"
       "  tilewalk race --timeline --d 128 --n 8192 --causal off\n"}};
  return specs;
}

const std::vector<std::string> kBenches = {"replay", "seek", "counters", "scale", "memory", "frame", "start", "all"};

void add_problem_flags(CLI::App& app, ProblemArgs& args) {
  for (const Flag& flag : problem_flags())
    app.add_option_function<std::string>(
           std::string("--") + flag.name,
           [&args, name = flag.name](const std::string& text) { args.texts[name] = text; }, flag.help)
        ->type_name(flag.value)
        ->group("The problem");
  app.add_option_function<std::vector<std::string>>(
         "--edit", [&args](const std::vector<std::string>& texts) { args.edits = texts; },
         "Change one value, as Q:0:0:3:1=2.5 (tensor:batch:head:row:col); may be repeated")
      ->type_name("PLACE=X")
      ->group("The problem")
      ->expected(1)
      ->take_all();
}

std::string verb_names() {
  std::string names;
  for (const VerbSpec& spec : verb_specs()) names += (names.empty() ? "" : ", ") + std::string(spec.name);
  return names;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  ProblemArgs window_problem;
  CLI::App app(
      "Tilewalk: watch attention being computed, one tile at a time, and believe what you see.\n"
      "Without a verb, the window opens.",
      "tilewalk");
  app.set_version_flag("--version", "tilewalk " TILEWALK_VERSION);
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n  tilewalk\n  tilewalk --preset paper\n  tilewalk replay --walk\n  tilewalk verify --recorded --all\n"
      "\nEach verb: tilewalk VERB --help. Exit codes: 0 agree or done, 1 divergence, 2 bad input, 3 no device, 4 "
      "internal.");
  add_problem_flags(app, window_problem);
  std::string bench = "all";
  for (const VerbSpec& spec : verb_specs()) {
    CLI::App* verb = app.add_subcommand(spec.name, spec.help);
    verb->callback([&line, &spec] { line.verb = spec.verb; });
    for (const Flag& flag : spec.options)
      verb->add_option_function<std::string>(
              std::string("--") + flag.name,
              [&line, name = flag.name](const std::string& text) { line.options[name] = text; }, flag.help)
          ->type_name(flag.value);
    for (const Flag& flag : spec.switches)
      verb->add_flag_callback(
          std::string("--") + flag.name, [&line, name = flag.name] { line.switches.insert(name); }, flag.help);
    verb->add_flag_callback(
        "--json", [&line] { line.switches.insert("json"); }, "One JSON object on stdout");
    if (spec.about_a_problem) add_problem_flags(*verb, line.problem);
    if (spec.verb == Verb::Bench)
      verb->add_option("what", bench, "replay, seek, counters, scale, memory, frame, start or all");
    verb->footer(std::string("Examples:\n") + spec.examples +
                 (spec.verb == Verb::Replay ? "\n" + help_of_then() : ""));
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    line.message = app.help();
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.message = std::string(version.what()) + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    std::string rule = error.what();
    if (words.size() == 1 || (!words.empty() && !words.front().starts_with("-") && app.get_subcommands().empty()))
      rule += " (verbs: " + verb_names() + ")";
    return Issue{"command line", "", rule, "tilewalk --help tells all"};
  }
  if (line.verb == Verb::Window) {
    line.problem = window_problem;
  } else if (window_problem.any()) {
    return Issue{"command line", "", "flags come after the verb", "Such as: tilewalk replay --n 16"};
  }
  if (line.verb == Verb::Bench) {
    if (std::find(kBenches.begin(), kBenches.end(), bench) == kBenches.end())
      return Issue{"bench", bench, "is not one of the benches", "replay, seek, counters, scale, memory, frame, start or all"};
    line.options["what"] = bench;
  }
  return line;
}

}  // namespace tilewalk
