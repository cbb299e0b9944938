// What the machine at hand was measured to reach (kernels/race/measure_machine), and the file that keeps it from one
// start to the next: $XDG_STATE_HOME/tilewalk/machine.toml, or ~/.local/state/tilewalk/machine.toml. It can be thrown
// away. What of the machine was not measured has a reason instead, one sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/predict/processor.h"
#include "files/user_file.h"
#include "measured/race.h"

namespace tilewalk {

struct MeasuredCard {
  std::string name;           // as its driver tells it: "NVIDIA H200"
  double copy_gb_per_s = 0;   // bytes read and written, 1e9 a second
  double product_tflops = 0;  // a large bf16 product
  bool operator==(const MeasuredCard&) const = default;
};

struct MeasuredMachine {
  std::string date;  // "2026-11-23", UTC
  std::optional<Processor> processor;
  std::vector<RaceRow> raced;  // by cpu_naive and cpu_tiled, fp32, no mask, in quiet; empty without a processor
  std::optional<MeasuredCard> card;
  std::string no_processor, no_card;
  bool operator==(const MeasuredMachine&) const = default;
  bool any() const { return processor || card; }
};

std::string machine_path();  // empty: the system names no home
Result<MeasuredMachine> parse_machine(std::string_view text, const std::string& name);
std::string machine_text(const MeasuredMachine&);                   // as the file has it
Result<MeasuredMachine> load_machine(const std::string& path);      // nothing measured, where there is no file
Result<KeptFile> save_machine(const MeasuredMachine&, OutputFile);  // opened by files/user_file

}  // namespace tilewalk
