#include "lab/gpu/gpu_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "base/fnv.h"
#include "core/values/exact_math.h"
#include "files/user_file.h"
#include "lab/gpu/gpu_text.h"
#include "lab/gpu/records.h"
#include "lab/run/bit_difference.h"

namespace tilewalk::lab {
namespace {

std::string text_of(float x) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x);
  std::array<char, 8> hex{};
  const auto hex_end = std::to_chars(hex.data(), hex.data() + hex.size(), exact::bits_of(x), 16);
  return std::string(digits.data(), end.ptr) + " (0x" + std::string(8 - std::size_t(hex_end.ptr - hex.data()), '0') +
         std::string(hex.data(), hex_end.ptr) + ")";
}

std::string name_of_visit(const RunVisit& each, std::int64_t number) {
  return "visit " + std::to_string(number + 1) + " (batch " + std::to_string(each.batch) + ", head " +
         std::to_string(each.head) + ", Q tile " + std::to_string(each.q_tile) + ", KV tile " +
         std::to_string(each.kv_tile) + ")";
}

std::string both(float here, float on_gpu) { return text_of(here) + " here, " + text_of(on_gpu) + " on the GPU"; }

bool same_mark(const RunVisit& a, const RunVisit& b) {
  return a.thread_block == b.thread_block && a.of_row == b.of_row && a.q_tile == b.q_tile && a.kv_tile == b.kv_tile &&
         a.first_row == b.first_row && a.m.size() == b.m.size() && a.l.size() == b.l.size() && a.o.size() == b.o.size();
}

GpuDifference difference_at(const RunVisit& each, std::int64_t number) {
  GpuDifference out;
  out.visit = number;
  out.batch = each.batch, out.head = each.head, out.q_tile = each.q_tile, out.kv_tile = each.kv_tile;
  out.row = each.first_row;
  return out;
}

std::optional<GpuDifference> first_of_visit(const RunVisit& here, const RunVisit& on_gpu, std::int64_t number,
                                            std::int64_t d) {
  const std::optional<StateDifference> found = first_difference(state_of(here), state_of(on_gpu), d);
  if (!found) return std::nullopt;
  GpuDifference out = difference_at(here, number);
  out.row = here.first_row + found->row, out.column = found->column;
  out.quantity = found->quantity, out.here = found->first, out.on_gpu = found->second;
  out.sentence = "They part in " + name_of_visit(here, number) + ", row " + std::to_string(out.row) + ", " +
                 out.quantity + (out.column ? "[" + std::to_string(*out.column) + "]" : "") + ": " +
                 both(out.here, out.on_gpu) + ".";
  return out;
}

std::optional<GpuDifference> first_of_marks(const std::vector<RunVisit>& here, const std::vector<RunVisit>& on_gpu,
                                            std::int64_t d) {
  for (std::size_t at = 0; at < std::max(here.size(), on_gpu.size()); ++at) {
    const std::int64_t number = std::int64_t(at);
    if (at < here.size() && at < on_gpu.size() && same_mark(here[at], on_gpu[at])) {
      if (auto found = first_of_visit(here[at], on_gpu[at], number, d)) return found;
      continue;
    }
    const bool here_alone = at < here.size();
    const RunVisit& each = here_alone ? here[at] : on_gpu[at];
    GpuDifference out = difference_at(each, number);
    out.quantity = "visits";
    out.sentence = "The marks differ from " + name_of_visit(each, number) + " on: there are " +
                   std::to_string(here.size()) + " here and " + std::to_string(on_gpu.size()) + " on the GPU.";
    return out;
  }
  return std::nullopt;
}

// The first difference in outputs and scratch. An element that the interpreter has not written has the poison of both.
std::optional<GpuDifference> first_of_tensors(const InterpreterRun& run, const GpuRun& gpu, std::int64_t& numbers) {
  const Program& program = run.machine->program();
  for (std::size_t at = 0; at < program.tensors.size() && at < gpu.outputs.size(); ++at) {
    const std::vector<float>& its = gpu.outputs[at];
    if (its.empty()) continue;
    const std::vector<float> mine = run.machine->tensor(at);
    for (std::size_t x = 0; x < std::min(mine.size(), its.size()); ++x) {
      ++numbers;
      const bool unwritten = !run.machine->was_written(at, std::int64_t(x));
      if (unwritten ? exact::bits_of(mine[x]) == exact::bits_of(its[x]) : same_bits(mine[x], its[x])) continue;
      GpuDifference out;
      out.quantity = program.tensors[at].element_name(std::int64_t(x));
      out.here = mine[x], out.on_gpu = its[x];
      out.sentence =
          "They part in " + out.quantity + " at the end: " +
          (unwritten ? "it is not written here, and " + text_of(its[x]) + " on the GPU." : both(mine[x], its[x]) + ".");
      return out;
    }
  }
  return std::nullopt;
}

// Whose fault a difference is, by what the interpreter has found.
std::string cause_of(const std::vector<Finding>& findings) {
  for (const bool warnings : {false, true})
    for (const Finding& each : findings) {
      const bool decides = each.kind == FindingKind::AtomicOrder || !is_warning(each.kind);
      if (is_warning(each.kind) == warnings && decides) return "The kernel's own fault decides: " + lab::text_of(each);
    }
  return "The interpreter has found no race, no unfilled read and nothing out of bounds: this may be a fault of "
         "Tilewalk.";
}

void add_words(Fnv& hash, const std::vector<float>& list) {
  for (const float x : list) {
    const std::uint32_t bits = x != x ? 0x7fc00000u : exact::bits_of(x);
    for (int byte = 0; byte < 4; ++byte) hash.add(std::uint8_t(bits >> (8 * byte)));
  }
}

std::uint64_t digest_of(const std::vector<RunVisit>& visits, const std::vector<std::vector<float>>& outputs) {
  Fnv hash;
  for (const RunVisit& each : visits) {
    add_words(hash, {float(each.thread_block), float(each.q_tile), float(each.kv_tile), float(each.first_row)});
    for (const auto* list : {&each.m, &each.l, &each.o}) add_words(hash, *list);
  }
  for (const std::vector<float>& each : outputs) add_words(hash, each);
  return hash.digest();
}

std::string sentence_of_equal(const GpuCheck& check) {
  const std::int64_t n = check.visits;
  return "The GPU's numbers equal the interpreter's in every bit: " +
         (n == 0   ? ""
          : n == 1 ? "1 visit, "
                   : std::to_string(n) + " visits, ") +
         std::to_string(check.numbers) + " numbers, on " + check.run.device + ".";
}

bool is_output(const MemoryObject& each) { return each.is_scratch || !each.is_const; }

}  // namespace

GpuJob gpu_job(const InterpreterRun& run, const MarkShape& shape) {
  const Program& program = run.machine->program();
  GpuJob out;
  out.text = gpu_text(run.text, run.setup, program);
  out.shape = shape;
  out.cache_folder = user_file_path("XDG_CACHE_HOME", ".cache", "lab-kernels");
  for (std::size_t at = 0; at < program.tensors.size(); ++at) {
    const MemoryObject& each = program.tensors[at];
    GpuTensor tensor{.name = each.name, .size = each.size, .is_scratch = each.is_scratch, .is_const = each.is_const};
    if (!is_output(each)) tensor.values = run.machine->tensor(at);
    out.tensors.push_back(std::move(tensor));
  }
  const bool whole = run.machine->state() == RunState::Done;
  const std::int64_t q_tiles = (shape.n_q + shape.br - 1) / shape.br, kv_tiles = (shape.n_kv + shape.bc - 1) / shape.bc;
  std::int64_t before = 0;
  for (const Kernel& kernel : program.kernels) {
    GpuLaunch launch{.grid = kernel.grid, .block = kernel.block, .tensors = kernel.parameters};
    std::vector<std::int64_t> visits(std::size_t(launch.blocks()), 0), rows = visits;
    for (const RunVisit& each : run.visits)
      if (each.thread_block >= before && each.thread_block < before + launch.blocks())
        ++(each.of_row ? rows : visits)[std::size_t(each.thread_block - before)];
    launch.most_visits = *std::max_element(visits.begin(), visits.end()) + 1;  // one more shows that there are more
    launch.most_rows = *std::max_element(rows.begin(), rows.end()) + 1;
    if (!whole) launch.most_visits = std::max(launch.most_visits, std::min<std::int64_t>(q_tiles * kv_tiles, 4096));
    before += launch.blocks();
    out.launches.push_back(std::move(launch));
  }
  return out;
}

GpuCheck compare_with_gpu(const InterpreterRun& run, GpuRun gpu) {
  GpuCheck out;
  out.run = std::move(gpu);
  const std::vector<Finding>& findings = run.machine->findings();
  if (out.run.end != GpuEnd::Ran) {
    out.sentence = out.run.why;
    const bool faulty =
        std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return !is_warning(f.kind); });
    if (faulty && (out.run.end == GpuEnd::Deadline || out.run.end == GpuEnd::Crashed))
      out.sentence += "\n" + cause_of(findings);
    return out;
  }
  const std::vector<RunVisit> here = in_record_order(run.visits);
  std::int64_t d = 1;
  for (const GivenConstant& each : run.setup.constants)
    if (each.name == "D") d = each.integer;
  out.visits = std::int64_t(here.size());
  for (const RunVisit& each : here) out.numbers += std::int64_t(each.m.size() + each.l.size() + each.o.size());
  out.first = first_of_marks(here, out.run.visits, d);
  if (!out.first) out.first = first_of_tensors(run, out.run, out.numbers);
  out.equal = !out.first && out.run.damage.empty() && out.run.dropped == 0;
  if (out.equal) {
    out.sentence = sentence_of_equal(out);
    return out;
  }
  out.sentence = "The GPU's numbers are not the interpreter's. ";
  if (out.first) out.sentence += out.first->sentence;
  for (const std::string& each : out.run.damage) out.sentence += "\n" + each;
  if (out.run.dropped > 0)
    out.sentence += "\nOn the GPU, " + std::to_string(out.run.dropped) + " marks were not recorded.";
  out.sentence += "\n" + cause_of(findings);
  return out;
}

void add_problem(std::optional<GpuCheck>& all, GpuCheck next) {
  if (!all || !next.equal) {
    all = std::move(next);
    return;
  }
  all->visits += next.visits;
  all->numbers += next.numbers;
  all->sentence = sentence_of_equal(*all);
}

std::uint64_t digest_of_run(const InterpreterRun& run) {
  std::vector<std::vector<float>> outputs;
  const Program& program = run.machine->program();
  for (std::size_t at = 0; at < program.tensors.size(); ++at)
    outputs.push_back(is_output(program.tensors[at]) ? run.machine->tensor(at) : std::vector<float>{});
  return digest_of(in_record_order(run.visits), outputs);
}

std::uint64_t digest_of_run(const GpuRun& gpu) { return digest_of(gpu.visits, gpu.outputs); }

}  // namespace tilewalk::lab
