#include "app/cli/verbs.h"

#include <iterator>

#include "app/cli/named_pages.h"
#include "base/words.h"
#include "session/document/words.h"

namespace tilewalk {

// Each is defined in the file of its name.
int replay_verb(const CommandLine&);
int counters_verb(const CommandLine&);
int verify_verb(const CommandLine&);
int run_verb(const CommandLine&);
int record_verb(const CommandLine&);
int render_verb(const CommandLine&);
int bench_verb(const CommandLine&);
int devices_verb(const CommandLine&);
int race_verb(const CommandLine&);
int glossary_verb(const CommandLine&);
int lesson_verb(const CommandLine&);
int worksheet_verb(const CommandLine&);
int questions_verb(const CommandLine&);
int predict_verb(const CommandLine&);
int decode_verb(const CommandLine&);
int tree_verb(const CommandLine&);
int which_verb(const CommandLine&);
int lab_verb(const CommandLine&);

namespace {

std::vector<std::string> page_choices() {
  std::vector<std::string> out;
  for (const NamedPage& page : named_pages()) out.push_back(page.name);
  return out;
}

std::vector<std::string> dialog_choices() { return {std::begin(kDialogWords) + 1, std::end(kDialogWords)}; }

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> rows = {
      {.name = "replay",
       .run = replay_verb,
       .help = "The state at a step, or the whole walk, step by step",
       .about_a_problem = true,
       .options = {{"step", "K", "State after K steps (default: the session's step, else the end)"},
                   {"tile", "I,J", "State after the visit of Q tile I and KV tile J"},
                   {"cell", "ROW,COL", "Also one score and its row's results, term by term"},
                   {"at-batch", "INDEX", "Batch entry of --tile and --walk"},
                   {"at-head", "INDEX", "Query head of --tile and --walk"},
                   {"then", "COMMANDS", "Commands of the window, run first: the state after them"}},
       .switches = {{"walk", "", "Every step, one after the other"}},
       .examples =
           "  tilewalk replay --walk\n  tilewalk replay --tile 2,1\n  tilewalk replay --preset paper --step 12 --json\n"
           "  tilewalk replay --n 4096 --d 128 --mask causal --tile 31,7\n"
           "  tilewalk replay --then 'set-schedule flash_v1; go-to-tile 2,1; step-back'\n",
       .footer = help_of_then},
      {.name = "counters",
       .run = counters_verb,
       .help = "Bytes and FLOPs, counted from the schedule's own steps",
       .about_a_problem = true,
       .options = {{"at", "K", "Totals before step K (default: the whole run)"},
                   {"against", "SCHEDULE",
                    "The same problem by another schedule beside it, and that schedule's step at the same pace"},
                   {"csv", "FILE", "The counters after every step, a line each (.csv; 1,000,000 steps at most)"},
                   {"perfetto", "FILE",
                    "The modelled lanes of the thread block at that step (.json, for ui.perfetto.dev)"}},
       .switches = {{"hardware", "", "Beside them a GPU's own counters, where this problem was measured"},
                    {"warps", "",
                     "Beside them the bytes that a thread block's warps share, split by keys and split by rows"}},
       .examples = "  tilewalk counters\n  tilewalk counters --against flash_v1 --at 40\n  tilewalk counters --n "
                   "16777216 --d 64 --mask causal --json\n  tilewalk counters "
                   "--schedule standard --at 40\n"
                   "  tilewalk counters --preset fa3 --csv steps.csv --perfetto lanes.json\n"},
      {.name = "verify",
       .run = verify_verb,
       .help = "Compare every tile visit of the replay with a kernel, bit for bit",
       .about_a_problem = true,
       .options =
           {{"trace", "FILE",
             "Judge the tile visits of your own kernel, recorded with assets/lab/tilewalk_trace.py: the first wrong "
             "one, and its cause"}},
       .switches =
           {{"recorded", "", "With recordings made on a GPU (the default)"},
            {"live", "", "With the GPU in this machine"},
            {"cpu", "", "With the kernel source, run on the CPU"},
            {"fast", "",
             "Compare the recorded states of the fast kernels, each visit, with float64 by FlashAttention's rule"},
            {"all", "", "All presets, or with --recorded every recording"},
            {"float64", "", "With --all: also the distance from float64, under FlashAttention's rule"}},
       .examples =
           "  tilewalk verify --recorded\n  tilewalk verify --recorded --all\n  tilewalk verify --cpu --n 200 --d 40 "
           "--mask causal\n"
           "  tilewalk verify --recorded --fault forget-rescale-o\n  tilewalk verify --fast\n"
           "  tilewalk verify --trace trace.safetensors\n"},
      {.name = "run",
       .run = run_verb,
       .help = "Compute only the attention, by the chosen schedule, to a file",
       .about_a_problem = true,
       .options = {{"out", "FILE",
                    "O, as .npy or .safetensors; a backward pass's .safetensors also has the tensors without a flag"},
                   {"lse", "FILE", "L, fp32 [batch, heads, n]"},
                   {"dq", "FILE", "dQ of a backward pass, in the shape of Q"},
                   {"dk", "FILE", "dK, in the shape of K"},
                   {"dv", "FILE", "dV, in the shape of V"}},
       .switches = {{"no-reference", "", "Leave out the comparison with float64"}},
       .examples = "  tilewalk run --q q.npy --k k.npy --v v.npy --mask causal --out o.npy --lse l.npy\n"
                   "  tilewalk run --n 1024 --d 64 --schedule standard --out o.safetensors\n"
                   "  tilewalk run --preset backward --out gradients.safetensors\n"},
      {.name = "record",
       .run = record_verb,
       .help = "Run the traced kernel on the GPU and save the trace",
       .about_a_problem = true,
       .options = {{"out", "FILE", "The recording, .safetensors"},
                   {"into", "FOLDER", "Instead of --out: a folder, with the file name that verify expects"},
                   {"detail", "WHAT", "state or hashes (default: state while it is small)", {"state", "hashes"}}},
       .examples = "  tilewalk record --preset paper --out paper.safetensors\n  tilewalk record --n 4096 --d 64 "
                   "--detail hashes "
                   "--out long.safetensors\n"},
      {.name = "render",
       .run = render_verb,
       .help = "Draw the window to a picture; needs no display",
       .about_a_problem = true,
       .options = {{"out", "FILE", "The picture, .png; for a walk .gif, .apng or a picture a frame, frames/%04d.png"},
                   {"size", "WxH", "In pixels (default 1600x900)"},
                   {"step", "K", "State after K steps"},
                   {"then", "COMMANDS", "Commands of the window, run first; tilewalk replay --help lists them"},
                   {"theme", "NAME", "dark or light", {"dark", "light"}},
                   {"ui-scale", "X", "Text size, 0.5 to 8 (default: by the size of the picture)"},
                   {"panel",
                    "NAME",
                    "Only one panel, at --size: header, schedules, memory, scores, side, transport or traffic",
                    {"header", "schedules", "memory", "scores", "side", "transport", "traffic"}},
                   {"page", "NAME", help_of_pages(), page_choices()},
                   {"race", "FILE", "The page of the race with a race saved by --csv, shown as run here"},
                   {"dialog", "NAME", "With a dialog open: " + listed(dialog_choices(), " or "), dialog_choices()},
                   {"animate", "FROM:TO",
                    "The walk from one step to another, a still each, and the motion between them; zoom: from one "
                    "tile to the largest matrix; or watch: the tour of the first minute, 45 s. FROM:TO:end begins with "
                    "a sentence that says what the film shows, and ends with the finished walk's bytes for 2 s"},
                   {"every", "UNIT", "For --animate: a frame a phase (default) or a tile visit", {"phase", "tile"}},
                   {"ms", "TIME", "For --animate: milliseconds a still, 20 to 60000 (default 700)"},
                   {"fps", "RATE",
                    "For --animate: pictures of a motion a second, 0 to 50; 0: stills alone (default 20; for a picture "
                    "a frame 0, of watch 20)"},
                   {"picture",
                    "NAME",
                    "window, or post: memories, matrix and sentence alone, for a square picture",
                    {"window", "post"}}},
       .examples = "  tilewalk render --out window.png\n  tilewalk render --preset window --step 40 --size 1280x720 "
                   "--theme light "
                   "--out window.png\n"
                   "  tilewalk render --then 'go-to-tile 2,1; select 9,6; show compare' --out window.png\n"
                   "  tilewalk render --preset paper --animate 1:19 --size 900x900 --picture post --out walk.gif\n"
                   "  tilewalk render --animate 39:48:end --size 720x720 --picture post --out visit.gif\n"
                   "  tilewalk render --animate watch --size 1280x720 --fps 10 --out first-minute.gif\n"},
      {.name = "bench",
       .run = bench_verb,
       .help = "Measure the budgets, each with its reference in the same run",
       .word = Word{"what",
                    "replay, seek, counters, scale, memory, lab, frame, start or all",
                    "benches",
                    {"replay", "seek", "counters", "scale", "memory", "lab", "frame", "start", "all"}},
       .examples = "  tilewalk bench\n  tilewalk bench replay --json\n"},
      {.name = "devices",
       .run = devices_verb,
       .help = "List the GPUs, what each kernel needs, and what is missing",
       .about_a_problem = true,
       .examples = "  tilewalk devices\n  tilewalk devices --json\n"},
      {.name = "race",
       .run = race_verb,
       .help = "The fast kernels timed here, side by side, and the race recorded on an H200",
       .options =
           {{"n", "LENGTHS", "Such as 1024,4096 (default: 512 to 4096 on a CPU, 1024 to 65536 on a GPU)"},
            {"d", "SIZES", "Head sizes, 1 to 256 (default: 64,128)"},
            {"causal", "WHICH", "on, off or both (default: both)", {"on", "off", "both"}},
            {"pass", "PASS", "forward, backward or both (a CPU has the forward pass)", {"forward", "backward", "both"}},
            {"dtype", "TYPE", "CPU: fp32 (default) or bf16; GPU: bf16 (default) or fp16", {"fp32", "bf16", "fp16"}},
            {"threads", "COUNT", "Threads of the CPU race (default: all)"},
            {"csv", "FILE", "File for the raw samples (.csv, or a pipe), in the format of assets/measurements"},
            {"perfetto", "FILE", "For --timeline: the recorded lanes (.json, for ui.perfetto.dev)"}},
       .switches = {{"gpu", "", "The kernels of kernels/fast on the GPU in this machine"},
                    {"cpu", "", "Naive attention by OpenBLAS and the tiled kernel, on this processor"},
                    {"recorded", "", "The race recorded on an H200, beside PyTorch's backends"},
                    {"timeline", "",
                     "When each warpgroup of flash_v3 waited, multiplied and exponentiated, recorded on an H200"}},
       .examples = "  tilewalk race                  (the GPU's race; without a GPU the recorded one, then the CPU's)\n"
                   "  tilewalk race --recorded --n 16384 --d 128\n"
                   "  tilewalk race --cpu --n 2048 --d 64 --threads 1 --causal off\n  tilewalk race --gpu --json --csv "
                   "race.csv\n"
                   "  tilewalk race --timeline --d 128 --n 8192 --causal off\n"
                   "  tilewalk race --timeline --d 128 --n 8192 --perfetto lanes.json\n"},
      {.name = "predict",
       .run = predict_verb,
       .help = "Predict attention's time on a GPU, by naive code and by each FlashAttention; on a CPU, its floors",
       .options =
           {{"n", "LENGTHS", "Such as 1024,4096 (default: 1024 to 16384)"},
            {"n-kv", "LENGTHS", "Keys, where Q is shorter or longer, as in decoding (default: as many as n)"},
            {"d", "SIZES", "Head sizes (default: 64)"},
            {"heads", "COUNTS", "Query heads (default: 32; on a CPU those of its race)"},
            {"kv-heads", "COUNT", "Heads of K and V (default: as many)"},
            {"batch", "SIZES", "Batch (default: 1)"},
            {"mask", "MASK", "none (default) or causal", {"none", "causal"}},
            {"dtype", "TYPE", "bf16 (default), fp16 or fp32 (default on a CPU)", {"bf16", "fp16", "fp32"}},
            {"device", "NAME",
             "A GPU of the device table (default: h200), cpu or cpu-THREADS as recorded, your-gpu or your-cpu as "
             "measured"},
            {"bandwidth", "GB/s", "Your own GPU: its memory's measured rate; the rest like --device"},
            {"peak", "TFLOP/s", "Your own GPU: its measured rate of large 16-bit products"}},
       .switches = {{"against-recorded", "",
                     "The model beside every time recorded on an H200 (or --device h100), with the error"},
                    {"measure", "",
                     "Measure this machine first, its CPU and its GPU, and save the rates; exit 3 where nothing can be "
                     "measured"}},
       .examples = "  tilewalk predict --n 4096,16384 --d 128 --heads 16 --mask causal\n"
                   "  tilewalk predict --n 1 --n-kv 8192,65536 --d 128 --heads 32 --kv-heads 4 --batch 8\n"
                   "  tilewalk predict --device cpu --n 2048,16384\n"
                   "  tilewalk predict --measure\n"
                   "  tilewalk predict --device a100 --n 8192\n"
                   "  tilewalk predict --bandwidth 2000 --peak 500 --n 4096 --json\n"
                   "  tilewalk predict --against-recorded\n"},
      {.name = "glossary",
       .run = glossary_verb,
       .help = "Explain the words of the window, each in a sentence",
       .word = Word{"word", "One of them, such as SRAM or 'thread block' (default: all)", "words", {}},
       .examples = "  tilewalk glossary\n  tilewalk glossary SRAM\n  tilewalk glossary thread block\n"
                   "  tilewalk glossary ULP --json\n"},
      {.name = "lesson",
       .run = lesson_verb,
       .help = "The lessons, in the terminal: each asks, checks, and explains the mistake behind a wrong answer",
       .word = Word{"number", "Which lesson, such as 7 (default: the list of them)", "numbers", {}},
       .options = {{"screen", "K", "Begin at screen K (default: the last one)"},
                   {"lessons", "DIR", "Lessons of another folder; assets/lessons/README.md explains the format"}},
       .switches = {{"list", "", "List the lessons, with your progress"},
                    {"check", "", "Play the lesson, or all of them, automatically; exit 1 where one fails"},
                    {"review", "", "List your wrong answers, to try again, and what to read next"}},
       .examples = "  tilewalk lesson --list\n  tilewalk lesson 7\n  tilewalk lesson --check --json\n"
                   "  tilewalk lesson --review\n"
                   "  tilewalk lesson --check 5 --lessons my-lessons\n"},
      {.name = "worksheet",
       .run = worksheet_verb,
       .help = "Print-outs: a Q tile to compute by hand or a roofline to draw, with their keys; a teacher's pages",
       .about_a_problem = true,
       .options = {{"out", "FILE", "The file: .pdf, or with --text .txt"},
                   {"count", "N", "A class set of 1 to 100 sheets, with consecutive seeds"},
                   {"lesson", "N", "The teacher's page of a lesson instead: questions, answers, common mistakes"},
                   {"class", "MINUTES", "The plan of a class of 45 or 90 minutes, then its print-outs, in order"},
                   {"q-tile", "I", "Which Q tile (default: the one with most KV tiles)"},
                   {"paper", "SIZE", "a4 (default) or letter", {"a4", "letter"}}},
       .switches =
           {{"roofline", "",
             "A roofline to draw instead, of the GPU --device, with five speed-ups to predict, sampled by --seed"},
            {"key", "", "The key too, after all sheets"},
            {"text", "", "The same as plain text, on stdout or in --out"}},
       .examples = "  tilewalk worksheet --preset paper --seed 12 --out sheet.pdf --key\n"
                   "  tilewalk worksheet --preset paper --count 30 --key --paper letter --out class.pdf\n"
                   "  tilewalk worksheet --preset backward --text\n"
                   "  tilewalk worksheet --lesson 7 --out teacher.pdf\n"
                   "  tilewalk worksheet --roofline --device h200 --seed 3 --key --out roofline.pdf\n"
                   "  tilewalk worksheet --class 90 --out class.pdf\n"},
      {.name = "questions",
       .run = questions_verb,
       .help = "Common questions and claims of articles, each with its verdict and the number behind it",
       .word = Word{"question", "A question's number, or words in it (default: all of them)", "words", {}},
       .switches = {{"check", "",
                     "Check that every figure has a value and every view opens; exit 1 where one does not"}},
       .examples = "  tilewalk questions\n  tilewalk questions 10\n  tilewalk questions online softmax\n"
                   "  tilewalk questions --json\n"},
      {.name = "decode",
       .run = decode_verb,
       .help = "Decode the names of GPU kernels: whose attention, which pass, which tile; also for a whole profile",
       .word = Word{"name", "Names of kernels as a profiler prints them, each in quotes", "names", {}},
       .options =
           {{"profile", "FILE",
             "A Chrome trace of torch.profiler or JAX (.json, .json.gz), the text of key_averages().table(), or a "
             "table of nsys stats, ncu --csv or rocprofv3"}},
       .examples = "  tilewalk decode fmha_cutlassF_bf16_aligned_64x128_rf_sm80\n"
                   "  tilewalk decode 'void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>()'\n"
                   "  tilewalk decode --profile trace.json.gz\n  tilewalk decode --profile kernels.csv --json\n"},
      {.name = "tree",
       .run = tree_verb,
       .help = "The family tree of attention: when each method came, what it changed, and where Tilewalk shows it",
       .examples = "  tilewalk tree\n  tilewalk tree --json\n"},
      {.name = "which",
       .run = which_verb,
       .help = "Which attention runs: the kernel that PyTorch uses for a call, why, and how to get another",
       .options = which_flags(),
       .switches = {{"torch-history", "", "List what changed from version to version of PyTorch, with sources"}},
       .examples = "  tilewalk which\n"
                   "  tilewalk which --n-q 4096 --d 128 --attn-mask float-grad --training on\n"
                   "  tilewalk which --device a100 --dtype fp32 --heads 32 --kv-heads 8 --enable-gqa on\n"
                   "  tilewalk which --on cpu --dropout 0.1 --json\n"
                   "  tilewalk which --enabled flash,math --set-priority on\n"
                   "  tilewalk which --via flash-attn:2.8.3 --attn-mask bool\n"
                   "  tilewalk which --torch 2.14 --device rtx4090 --build windows\n  tilewalk which --torch-history\n"
                   "  tilewalk which --batch 4 --n-q 2048 --profile trace.json.gz\n"},
      {.name = "lab",
       .run = lab_verb,
       .help = "Write the kernel yourself: run it here, see the first wrong tile visit and what causes it",
       .about_a_problem = true,
       .word =
           Word{"what",
                "new TASK FILE, hint TASK [NUMBER], language, check FILE, walk FILE, or diff FILE FILE (default: the "
                "list of tasks)",
                "words",
                {}},
       .options = {{"task", "N", "The task whose problem and judge to use (default: a first line // task: N)"},
                   {"threads", "COUNT", "THREADS, threads of a block, 1 to 1024 (default: the task's, or 32)"},
                   {"thread-order", "SEED", "The order in which threads run (default: 0, increasing)"},
                   {"most-instructions", "COUNT",
                    "End a run after so many instructions of the machine (default: 500000000)"},
                   {"instruction", "K",
                    "walk: the state after K instructions of the machine, with a thread's variables"},
                   {"visit", "I,J", "walk: the state that the kernel shows after Q tile I has met KV tile J"},
                   {"thread", "T", "walk: the thread of --instruction (default: the one that runs)"}},
       .switches = {{"check-tasks", "", "Play every task: its start, its wrong versions and its solution"},
                    {"gpu", "", "check: also on the NVIDIA GPU, whose numbers must have the same bits"}},
       .examples = "  tilewalk lab\n  tilewalk lab new 5 my.cu\n  tilewalk lab check my.cu\n  tilewalk lab hint 5\n"
                   "  tilewalk lab language\n  tilewalk lab check kernel.cu --task 5\n"
                   "  tilewalk lab check my.cu --n 64 --d 32 --br 16 --bc 16 --threads 64 --mask causal --json\n"
                   "  tilewalk lab walk my.cu --task 5 --visit 2,1\n  tilewalk lab walk my.cu --task 5 --instruction "
                   "1000 --thread 3\n"
                   "  tilewalk lab diff a.cu b.cu --n 64\n  tilewalk lab --check-tasks\n"},
  };
  return rows;
}

}  // namespace tilewalk
