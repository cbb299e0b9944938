#include "session/command/command_arguments.h"

#include <limits>

#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"
#include "session/document/words.h"

namespace tilewalk {
namespace {

template <class E, std::size_t N>
Named<E> in_order(const char* const (&words)[N]) {
  Named<E> out;
  for (std::size_t i = 0; i < N; ++i) out.push_back({words[i], E(int(i))});
  return out;
}

// "one", "all", "none", or rows by number: "9", "8-11", "8+10".
std::optional<HandRows> rows_from(const std::string& word) {
  for (std::size_t i = 0; i < std::size(kHandRowsWords); ++i)
    if (word == kHandRowsWords[i]) return HandRows{HandRows::Kind(int(i)), {}};
  HandRows rows{HandRows::These, {}};
  std::string_view rest = word;
  while (!rest.empty()) {
    std::string_view last = take_until(rest, '+');
    const bool range = last.find('-') != std::string_view::npos;
    std::int64_t begin = 0, end = 0;
    if (!put(within(parse_integer(take_until(last, '-')), std::int64_t(0)), begin)) return std::nullopt;
    end = begin;
    if (range && !put(within(parse_integer(last), begin, begin + 63), end)) return std::nullopt;
    for (std::int64_t row = begin; row <= end; ++row) rows.these.push_back(row);
    if (rows.these.size() > 64) return std::nullopt;
  }
  return rows.these.empty() ? std::nullopt : std::optional(rows);
}

}  // namespace

Named<LabUnit> named_values(LabUnit) { return in_order<LabUnit>(kLabUnitWords); }
Named<StepUnit> named_values(StepUnit) { return in_order<StepUnit>(kUnitWords); }
Named<Pace> named_values(Pace) { return in_order<Pace>(kPaceWords); }
Named<Compared> named_values(Compared) { return in_order<Compared>(kComparedWords); }
const char* help_of_show_page() {
  static const std::string help = "Turns to a page: " + listed(kPageWords, " or ") + ".";
  return help.c_str();
}

Named<Page> named_values(Page) { return in_order<Page>(kPageWords); }
Named<Dialog> named_values(Dialog) { return in_order<Dialog>(kDialogWords); }
Named<LaneOption> named_values(LaneOption) { return in_order<LaneOption>(kLaneOptionWords); }
Named<RaceSource> named_values(RaceSource) { return in_order<RaceSource>(kRaceSourceWords); }
Named<RaceMetric> named_values(RaceMetric) { return in_order<RaceMetric>(kRaceMetricWords); }
Named<TreeMember> named_values(TreeMember) { return in_order<TreeMember>(kTreeWords); }
Named<ExportKind> named_values(ExportKind) {
  Named<ExportKind> out;
  for (const ExportRow& row : kExports) out.push_back({row.word, row.kind});
  return out;
}
Named<Quantity> named_values(Quantity) {  // the quantities that the cells of a tile can show
  Named<Quantity> out;
  for (const Quantity quantity : quantities_of(QuantityShape::Cell))
    out.push_back({ledger_row(quantity).word, quantity});
  return out;
}
Named<bool> named_values(bool) { return {{"no", false}, {"yes", true}}; }
Named<ScheduleKind> named_values(ScheduleKind) {
  Named<ScheduleKind> out;
  for (const ScheduleKind kind : all_schedules()) out.push_back({name_of(kind), kind});
  return out;
}
Named<Fault> named_values(Fault) {
  Named<Fault> out = {{name_of(Fault::None), Fault::None}};
  for (const Fault fault : all_faults()) out.push_back({name_of(fault), fault});
  return out;
}
Named<DType> named_values(DType) {
  Named<DType> out;
  for (const DType type : {DType::Fp32, DType::Fp16, DType::Bf16}) out.push_back({name_of(type), type});
  return out;
}
Named<TensorId> named_values(TensorId) {
  Named<TensorId> out;
  for (const TensorId id : kInputTensors) out.push_back({name_of(id), id});
  return out;
}

void read(CommandReader& words, const std::string& what, std::string& out) {
  if (const std::string* word = words.next(what)) out = *word;
}

void read(CommandReader& words, const std::string& what, std::int64_t& out) {
  const std::string* word = words.next(what);
  if (word && !put(parse_integer(*word), out)) words.refuse("is not a whole number");
}
void read(CommandReader& words, const std::string& what, double& out) {
  const std::string* word = words.next(what);
  constexpr double most = std::numeric_limits<double>::max();
  if (word && !put(within(parse_real(*word), -most, most), out)) words.refuse("is not a number");
}
void read(CommandReader& words, const std::string& what, HandRows& out) {
  const std::string* word = words.next(what);
  if (word && !put(rows_from(*word), out)) words.refuse("must be one, all, none, 9, 8-11 or 8+10");
}
void read(CommandReader& words, const std::string& what, HandQuantities& out) {
  const std::string* word = words.next(what);
  if (!word) return;
  for (std::string_view rest = *word; !rest.empty();) {
    const std::string name(take_until(rest, rest.find(',') < rest.find('+') ? ',' : '+'));
    const auto quantity = quantity_from(name);
    if (!quantity) {
      std::vector<std::string> all;
      for (const QuantityRow& row : quantity_ledger())
        if (*row.word) all.push_back(row.word);
      return words.refuse("has " + name + " in it, which is not a quantity of work by hand",
                          "The nearest is " + nearest(name, all));
    }
    out.push_back(*quantity);
  }
}
void read(CommandReader& words, const std::string& what, HandPlace& out) {
  const std::string* word = words.next(what);
  if (word && !put(hand_place_from(*word), out)) words.refuse("is not a place such as alpha:9 or s:9:5");
}

std::string written(const std::string& text) { return quoted_if_needed(text); }
std::string written(std::int64_t value) { return std::to_string(value); }
std::string written(double value) { return format_number(value); }
std::string written(const HandRows& rows) {
  if (rows.kind != HandRows::These) return kHandRowsWords[int(rows.kind)];
  std::string out;
  for (const std::int64_t row : rows.these) add_to_list(out, std::to_string(row), "+");
  return out;
}
std::string written(const HandQuantities& quantities) {
  std::string out;
  for (const Quantity quantity : quantities) add_to_list(out, std::string(ledger_row(quantity).word), "+");
  return quoted_if_needed(out);
}
std::string written(const HandPlace& place) { return text_of(place); }

}  // namespace tilewalk
