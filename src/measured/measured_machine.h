// The measured rates of this machine (kernels/race/measure_machine), and the file that keeps them between starts:
// $XDG_STATE_HOME/tilewalk/machine.toml, or ~/.local/state/tilewalk/machine.toml. The file can be deleted. A missing
// measurement has a reason instead, one sentence.
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
  std::string name;           // as its driver names it: "NVIDIA H200"
  double copy_gb_per_s = 0;   // bytes read and written, 1e9 a second
  double product_tflops = 0;  // a large bf16 product
  bool operator==(const MeasuredCard&) const = default;
};

struct MeasuredMachine {
  std::string date;  // "2026-11-23", UTC
  std::optional<Processor> processor;
  // times of cpu_naive and cpu_tiled, fp32, no mask, on a quiet machine; empty without a processor
  std::vector<RaceRow> raced;
  std::optional<MeasuredCard> card;
  std::string no_processor, no_card;
  bool operator==(const MeasuredMachine&) const = default;
  bool any() const { return processor || card; }
};

std::string machine_path();  // empty: the system names no home
Result<MeasuredMachine> parse_machine(std::string_view text, const std::string& name);
std::string machine_text(const MeasuredMachine&);                   // the content of the file
Result<MeasuredMachine> load_machine(const std::string& path);      // without a file: no measurements
Result<KeptFile> save_machine(const MeasuredMachine&, OutputFile);  // opened by files/user_file

}  // namespace tilewalk
