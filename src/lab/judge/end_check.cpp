#include "lab/judge/end_check.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/units.h"
#include "core/witness/roundings.h"
#include "lab/judge/end_slips.h"
#include "lab/judge/slips.h"

namespace tilewalk {
namespace {

bool is_unwritten(float value) { return std::bit_cast<std::uint32_t>(value) == kNotWritten; }

double store_rounding(const JudgedInputs& in, double value) {
  return Roundings{.dtype = in.problem().numerics.dtype}.of_store(value);
}

double o_bound(const JudgedInputs& in, const EndRow& row, std::size_t x) {
  return row.exact.attention_bound(x) + store_rounding(in, row.exact.attention(x)) + 0x1p-149;
}

bool fits_l(const EndRow& row) {
  if (row.exact.sees_nothing()) return std::isinf(*row.l);
  return keeps_rule(std::fabs(*row.l - row.exact.lse()), row.exact.lse_bound(),
                    [&] { return row.exact.plain_errors().lse; });
}

std::optional<std::size_t> wrong_column(const JudgedInputs& in, const EndRow& row) {
  std::optional<double> plain;
  for (std::size_t x = 0; x < row.o.size(); ++x) {
    const double exact = row.exact.attention(x);
    const bool fits =
        row.exact.sees_nothing() ? row.o[x] == 0 : keeps_rule(std::fabs(row.o[x] - exact), o_bound(in, row, x), [&] {
          if (!plain) plain = row.exact.plain_errors().attention + store_rounding(in, exact);
          return *plain;
        });
    if (!fits) return x;
  }
  return std::nullopt;
}

// O of a row that is the attention of another one.
std::optional<Diagnosis> swapped_rows(const JudgedInputs& in, const std::vector<EndRow>& rows, std::size_t wrong) {
  for (std::size_t other = 0; other < rows.size(); ++other) {
    if (other == wrong || rows[other].exact.sees_nothing()) continue;
    bool same = true;
    for (std::size_t x = 0; same && x < rows[wrong].o.size(); ++x)
      same = std::fabs(rows[wrong].o[x] - rows[other].exact.attention(x)) <= 4 * o_bound(in, rows[other], x);
    if (!same) continue;
    const RowId& id = rows[other].id;
    return Diagnosis{"other-row", "O of this row is the attention of row " + std::to_string(id.row) +
                                      " of batch entry " + std::to_string(id.batch) + ", head " +
                                      std::to_string(id.head) + "."};
  }
  return std::nullopt;
}

std::optional<Diagnosis> short_format(const std::vector<EndRow>& rows) {
  for (const auto& [format, name, words] :
       {std::tuple(ShortFormat::Bf16, "bf16-output", "O was rounded to bf16 at the end."),
        std::tuple(ShortFormat::Fp16, "fp16-output", "O was rounded to fp16 at the end."),
        std::tuple(ShortFormat::Tf32, "tf32-output", "O was rounded to TF32 at the end.")}) {
    bool all = true;
    for (const EndRow& row : rows)
      for (std::size_t x = 0; x < row.o.size(); ++x) {
        const double size = std::fabs(row.exact.attention(x));
        all &= rounded_to(format, row.o[x]) == row.o[x] &&
               std::fabs(row.o[x] - row.exact.attention(x)) <= size / 128 + 1e-6;
      }
    if (all) return Diagnosis{name, words};
  }
  return std::nullopt;
}

void count_unwritten(std::span<const float> values, const char* name, JudgeReport& report) {
  std::int64_t unwritten = 0;
  for (const float value : values) unwritten += is_unwritten(value);
  if (unwritten > 0)
    report.complaints.push_back(format_count(unwritten) + " of " + format_count(std::int64_t(values.size())) +
                                " values of " + name + " were not written.");
}

// Where a visit was wrong, the outputs are compared with what the kernel's own last states make of them.
void check_own_end(const JudgedInputs& in, const JudgeRules& rules, const LabOutputs& outputs, const LastKept& last,
                   OForm form, JudgeReport& report) {
  if (report.second || !report.complaints.empty()) return;
  if (report.diagnosis && report.diagnosis->name == "m-l-exchanged") return;  // the last state is no state
  const Shape& shape = in.problem().shape;
  std::vector<EndRow> rows;
  bool o_wrong = false, l_wrong = false;
  for (std::int64_t at = 0; at < shape.batch * shape.heads * shape.n_q; ++at) {
    const RowId id{at / shape.n_q / shape.heads, at / shape.n_q % shape.heads, at % shape.n_q};
    EndRow row{.id = id, .exact = JudgedRow(in, id), .parts = last(id), .form = form};
    if (!row.follow_own()) continue;
    if (!outputs.o.empty() && !row.expected.empty())
      row.o.assign(outputs.o.begin() + at * shape.d, outputs.o.begin() + (at + 1) * shape.d);
    if (!outputs.l.empty())
      row.l = double(outputs.l[std::size_t(at)]) * (rules.lse_base == Base::Two ? std::numbers::ln2 : 1);
    row.o_wrong = !row.o_fits_own();
    row.l_wrong = row.l && !(std::fabs(*row.l - row.lse) <= EndRow::kOwnShare * (1 + std::fabs(row.lse)));
    o_wrong |= row.o_wrong, l_wrong |= row.l_wrong;
    rows.push_back(std::move(row));
  }
  if (!o_wrong && !l_wrong) return;
  if (const auto slip = end_slip_of(rows, !o_wrong))
    report.second = Diagnosis{slip->name, "A second mistake, at the end: " + slip->sentence};
  else
    report.second = Diagnosis{"", std::string("A second mistake remains: at the end, ") + (o_wrong ? "O" : "L") +
                                      " does not follow from the last state."};
}

}  // namespace

Diagnosis no_known_mistake(const WrongValue& w) {
  std::string sentence = "No known mistake gives these numbers";
  if (std::isnan(w.got))
    sentence += ": the number is NaN";
  else if (std::isfinite(w.got) && std::isfinite(w.expected) && w.expected != 0 && w.quantity != LabQuantity::M) {
    char ratio[64];
    std::snprintf(ratio, sizeof ratio, "%.6g", w.got / w.expected);
    sentence += std::string(": ") + letter_of(w.quantity) + " is " + ratio + " times what it must be";
  }
  return {"", sentence + "."};
}

void check_end(const JudgedInputs& in, const JudgeRules& rules, const LabOutputs& outputs, const LastKept& last,
               OForm form, JudgeReport& report) {
  const Shape& shape = in.problem().shape;
  count_unwritten(outputs.o, "O", report);
  count_unwritten(outputs.l, "L", report);
  const std::int64_t count = shape.batch * shape.heads * shape.n_q;
  for (const auto& [values, each, name] :
       {std::tuple(outputs.o, shape.d, "O"), std::tuple(outputs.l, std::int64_t(1), "L")})
    if (!values.empty() && std::int64_t(values.size()) != count * each)
      report.complaints.push_back(std::string(name) + " has " + format_count(std::int64_t(values.size())) +
                                  " values, not " + format_count(count * each) + ".");
  if (!report.complaints.empty() && std::int64_t(outputs.o.size()) != count * shape.d && !outputs.o.empty()) return;
  if (!outputs.l.empty() && std::int64_t(outputs.l.size()) != count) return;
  if (outputs.o.empty() && outputs.l.empty()) return;
  if (report.first_wrong) return check_own_end(in, rules, outputs, last, form, report);

  std::vector<EndRow> rows;
  std::optional<std::size_t> first;
  for (std::int64_t at = 0; at < count; ++at) {
    const RowId id{at / shape.n_q / shape.heads, at / shape.n_q % shape.heads, at % shape.n_q};
    EndRow row{.id = id, .exact = JudgedRow(in, id), .parts = last(id), .form = form};
    for (std::int64_t key = 0; key < shape.n_kv; key += in.problem().tiling.bc)
      row.exact.absorb({key, std::min(shape.n_kv, key + in.problem().tiling.bc)});
    row.exact.follow_max(row.kept() ? row.kept()->m : row.exact.max());
    if (!outputs.o.empty()) row.o.assign(outputs.o.begin() + at * shape.d, outputs.o.begin() + (at + 1) * shape.d);
    if (!outputs.l.empty())
      row.l = double(outputs.l[std::size_t(at)]) * (rules.lse_base == Base::Two ? std::numbers::ln2 : 1);
    row.follow_exact();
    row.o_wrong = wrong_column(in, row).has_value();
    row.l_wrong = row.l && !fits_l(row);
    if (!first && (row.o_wrong || row.l_wrong)) first = rows.size();
    rows.push_back(std::move(row));
  }
  if (!first) return;

  const EndRow& row = rows[*first];
  const double unit = rules.lse_base == Base::Two ? std::numbers::ln2 : 1;
  WrongValue w{.at_end = true,
               .batch = row.id.batch,
               .head = row.id.head,
               .q_tile = row.id.row / in.problem().tiling.br,
               .row = row.id.row};
  if (row.o_wrong) {
    const std::size_t x = *wrong_column(in, row);
    w.quantity = LabQuantity::O, w.column = std::int64_t(x);
    w.expected = row.exact.attention(x), w.got = row.o[x], w.bound = 2 * o_bound(in, row, x);
  } else {
    w.expected = (row.exact.sees_nothing() ? kUnbounded : row.exact.lse()) / unit, w.got = *row.l / unit;
    w.bound = 2 * row.exact.lse_bound() / unit;
  }
  report.first_wrong = w;
  const float raw = row.o_wrong ? outputs.o[*first * std::size_t(shape.d) + std::size_t(*w.column)] : outputs.l[*first];
  if (is_unwritten(raw)) {
    report.diagnosis = Diagnosis{"not-written", "The kernel did not write this value."};
    return;
  }
  report.diagnosis = end_slip_of(rows, !row.o_wrong);
  if (report.diagnosis) return;
  if (row.o_wrong) report.diagnosis = swapped_rows(in, rows, *first);
  if (!report.diagnosis && row.o_wrong) report.diagnosis = short_format(rows);
  if (!report.diagnosis) report.diagnosis = no_known_mistake(w);
}

}  // namespace tilewalk
