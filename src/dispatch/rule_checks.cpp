#include "dispatch/rule_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/units.h"
#include "dispatch/call_words.h"

namespace tilewalk {
namespace {

std::int64_t whole(const CallLooked& a, const char* key, std::int64_t otherwise = 0) {
  const auto at = a.numbers.whole.find(key);
  return at == a.numbers.whole.end() ? otherwise : at->second;
}
bool yes(const CallLooked& a, const char* key) {
  const auto at = a.numbers.yes.find(key);
  return at != a.numbers.yes.end() && at->second;
}
Version version(const RuleNumbers& numbers, const char* key, Version otherwise = {}) {
  const auto at = numbers.text.find(key);
  return at == numbers.text.end() ? otherwise : version_from(at->second).value_or(otherwise);
}
int sm(const RuleNumbers& numbers, const char* key, int otherwise) {
  const auto at = numbers.text.find(key);
  return at == numbers.text.end() ? otherwise : sm_from(at->second);
}
std::string sizes(const Call& c) {
  return c.value_size() == c.d ? fmt::format("{}", c.d) : fmt::format("{}, of V {}", c.d, c.value_size());
}
std::string lengths(const Call& c) { return fmt::format("{} and {}", format_count(c.n_q), format_count(c.keys())); }
std::string heads(const Call& c) {
  return fmt::format("{} and {}, enable_gqa {}", format_count(c.heads), format_count(c.heads_of_kv()),
                     c.enable_gqa ? "on" : "off");
}
std::string card(const Call& c) { return "SM " + sm_text(c.sm()); }
std::string chance(const Call& c) { return format_number(c.dropout); }

Finding enabled(const CallLooked& a) {
  const auto& list = a.call.enabled;
  const bool on = list.empty() || contains(list, a.backend);
  return {on, on ? "on" : "not in sdpa_kernel's list"};
}
Finding dense(const CallLooked&) { return {true, "dense"}; }
Finding four_dims(const CallLooked&) { return {true, "4"}; }
Finding on_gpu(const CallLooked& a) { return {a.call.on_gpu, a.call.on_gpu ? "cuda" : "cpu"}; }
Finding cudnn_at_least(const CallLooked& a) {
  return {a.cudnn >= version(a.numbers, "least"), "cuDNN " + text_of(a.cudnn)};
}
// No dropout, where cuDNN's version is strictly between two versions.
Finding no_dropout_between_cudnn(const CallLooked& a) {
  const bool between = a.cudnn > version(a.numbers, "above") && a.cudnn < version(a.numbers, "below");
  return {!(a.call.dropout > 0 && between), fmt::format("{}, cuDNN {}", chance(a.call), text_of(a.cudnn))};
}
Finding not_deterministic(const CallLooked& a) {
  constexpr const char* words[] = {"off", "warn only", "on"};
  return {a.call.deterministic != Deterministic::On, words[int(a.call.deterministic)]};
}
Finding type_in(const CallLooked& a) {
  const auto& lists = a.numbers.lists;
  const auto before = lists.find("before_sm80");
  const bool old = a.call.on_gpu && a.call.sm() < 80 && before != lists.end();
  return {contains(old ? before->second : lists.at("types"), name_of(a.call.type)),
          old ? name_of(a.call.type) + " on " + card(a.call) : name_of(a.call.type)};
}
Finding no_mask(const CallLooked& a) { return {!a.call.has_mask(), mask_words(a.call)}; }
Finding mask_without_grad(const CallLooked& a) { return {a.call.mask != CallMask::FloatGrad, mask_words(a.call)}; }
Finding mask_shape(const CallLooked& a) { return {true, mask_words(a.call)}; }
Finding sm_between(const CallLooked& a) {
  const int has = a.call.sm();
  return {has >= sm(a.numbers, "low", 0) && has <= sm(a.numbers, "high", 999), card(a.call)};
}
Finding no_dropout(const CallLooked& a) { return {!(a.call.dropout > 0), chance(a.call)}; }
Finding nonzero_lengths(const CallLooked& a) { return {a.call.n_q != 0 && a.call.keys() != 0, lengths(a.call)}; }
Finding last_stride_one(const CallLooked& a) {
  const bool strided = a.call.layout == CallLayout::Strided && !(yes(a, "ignore_single") && a.call.d == 1);
  return {!strided, a.call.layout == CallLayout::Strided ? "2" : "1"};
}
// K and V have the same number of heads here. heads_divide checks whether it divides Q's.
Finding heads_fit(const CallLooked& a) {
  return {a.call.heads == a.call.heads_of_kv() || (yes(a, "gqa") && a.call.enable_gqa), heads(a.call)};
}
Finding heads_divide(const CallLooked& a) {
  return {!a.call.enable_gqa || a.call.heads % a.call.heads_of_kv() == 0, heads(a.call)};
}
// Broadcasting stretches one KV head over all query heads, and one query head over all KV heads.
Finding heads_broadcast(const CallLooked& a) {
  const Call& c = a.call;
  return {c.enable_gqa || c.heads == c.heads_of_kv() || c.heads == 1 || c.heads_of_kv() == 1, heads(c)};
}
Finding batch_and_heads_at_most(const CallLooked& a) {
  const std::int64_t most = whole(a, "most");
  return {a.call.batch <= most && a.call.heads <= most,
          fmt::format("{} and {}", format_count(a.call.batch), format_count(a.call.heads))};
}
Finding heads_at_most(const CallLooked& a) { return {a.call.heads <= whole(a, "most"), format_count(a.call.heads)}; }
Finding batch_at_most_if_dropout(const CallLooked& a) {
  return {!(a.call.dropout > 0) || a.call.batch <= whole(a, "most"),
          fmt::format("{}, dropout {}", format_count(a.call.batch), chance(a.call))};
}
// The limit of the first case that fits the card, cuDNN and head sizes.
Finding d_at_most(const CallLooked& a) {
  std::int64_t most = whole(a, "most");
  for (const RuleNumbers& one : a.numbers.cases) {
    const auto cards = one.lists.find("sm");
    if (cards != one.lists.end() && !contains(cards->second, sm_text(a.call.sm()))) continue;
    if (a.cudnn < version(one, "cudnn")) continue;
    if (const auto d = one.whole.find("d"); d != one.whole.end() && d->second != a.call.d) continue;
    if (const auto d = one.whole.find("d_v"); d != one.whole.end() && d->second != a.call.value_size()) continue;
    most = one.whole.at("most");
    break;
  }
  return {a.call.d <= most && a.call.value_size() <= most, fmt::format("{}, and {} is the most", sizes(a.call), most)};
}
Finding d_multiple_of(const CallLooked& a) {
  const std::int64_t of = whole(a, "of");
  return {a.call.d % of == 0 && a.call.value_size() % of == 0, sizes(a.call)};
}
Finding same_d_at_most(const CallLooked& a) {
  return {a.call.d == a.call.value_size() && a.call.d <= whole(a, "most"), sizes(a.call)};
}
Finding same_d(const CallLooked& a) { return {a.call.d == a.call.value_size(), sizes(a.call)}; }
// Alignment for CUTLASS's matrix products: multiples of this many values, by the card's tensor cores.
Finding d_aligned(const CallLooked& a) {
  const Call& c = a.call;
  const bool tensor_cores = c.sm() >= 80 || (c.sm() >= 70 && c.is_16_bit());
  std::int64_t of = c.sm() >= 80 ? 4 : 1;
  if (tensor_cores) of = std::max<std::int64_t>(of, c.is_16_bit() ? 8 : 4);
  return {c.d % of == 0 && c.value_size() % of == 0, fmt::format("{}, and {} is the step", sizes(c), of)};
}
Finding keys_not_one(const CallLooked& a) { return {a.call.keys() != 1, format_count(a.call.keys())}; }
Finding lengths_not_one(const CallLooked& a) {
  return {a.call.n_q != 1 && a.call.keys() != 1,
          fmt::format("{} and {}", format_count(a.call.n_q), format_count(a.call.keys()))};
}
Finding no_dropout_of_one_row(const CallLooked& a) {
  return {!(a.call.n_q == 1 && a.call.dropout != 0), fmt::format("{}, dropout {}", a.call.n_q, chance(a.call))};
}
// Training with a large head on cards with little shared memory.
Finding trains_at_this_d(const CallLooked& a) {
  const Call& c = a.call;
  const bool small_card = (c.sm() >= 86 && c.sm() <= 89) || (yes(a, "sm120") && c.sm() >= 120 && c.sm() <= 121);
  const bool refused = (c.d > 192 && c.d <= 224) || (c.d > 224 && c.dropout > 0);
  return {!(c.training && small_card && refused),
          fmt::format("d {}, {}, {}", c.d, c.training ? "training" : "not training", card(c))};
}
Finding without_enable_gqa(const CallLooked& a) { return {!a.call.enable_gqa, a.call.enable_gqa ? "on" : "off"}; }
Finding not_training(const CallLooked& a) { return {!a.call.training, a.call.training ? "training" : "not training"}; }
Finding variable_is_one(const CallLooked& a) {
  const auto at = a.call.env.find(a.numbers.text.at("variable"));
  if (at == a.call.env.end()) return {false, "not set"};
  return {at->second == "1", at->second.empty() ? "empty" : at->second};
}
// Strides of [batch, N, heads, d] with the heads and the d of Q, for Q, K and V. One row of one head has them in any
// order of the dimensions.
Finding stored_bnhd(const CallLooked& a) {
  const Call& c = a.call;
  const bool one_row = c.layout == CallLayout::Bhnd && c.heads == 1 && c.n_q == 1 && c.keys() == 1;
  const bool alike = c.heads == c.heads_of_kv() && c.d == c.value_size();
  std::string value = kCallLayoutWords[int(c.layout)];
  if (!alike) value += fmt::format(", {} and {} heads, d {}", c.heads, c.heads_of_kv(), sizes(c));
  return {alike && (c.layout == CallLayout::Bnhd || one_row), std::move(value)};
}
Finding never(const CallLooked& a) { return {false, a.numbers.text.at("value")}; }
Finding dropout_multiple_of(const CallLooked& a) {
  const double parts = a.call.dropout * double(whole(a, "parts"));
  return {parts == std::floor(parts), chance(a.call)};
}
// In training, the pairs of head sizes that the backward pass has, where cuDNN takes d up to 256 at all.
Finding cudnn_trains_at_this_d(const CallLooked& a) {
  const std::int64_t d = a.call.d, d_v = a.call.value_size();
  const bool has = (d <= 128 && d_v <= 128) || (d == 192 && d_v == 128) || (d == 256 && d_v == 256);
  const auto cards = a.numbers.lists.find("sm");
  const bool applies = a.call.training && a.cudnn > version(a.numbers, "above") &&
                       (cards == a.numbers.lists.end() || contains(cards->second, sm_text(a.call.sm())));
  return {!applies || has, fmt::format("{}, {}", sizes(a.call), a.call.training ? "training" : "not training")};
}
Finding square_if_causal(const CallLooked& a) {
  return {!a.call.is_causal || a.call.n_q == a.call.keys(),
          a.call.is_causal ? lengths(a.call) : std::string("not causal")};
}
Finding no_mask_if_causal(const CallLooked& a) {
  return {!(a.call.is_causal && a.call.has_mask()), a.call.is_causal ? mask_words(a.call) : std::string("not causal")};
}

}  // namespace

const std::vector<RuleCheck>& rule_checks() {
  static const std::vector<RuleCheck> rows = {
      {"enabled", "enabled", {}, enabled},
      {"dense", "tensors", {}, dense},
      {"four_dims", "tensors", {}, four_dims},
      {"on_gpu", "tensors", {}, on_gpu},
      {"cudnn_at_least", "version", {"least"}, cudnn_at_least},
      {"no_dropout_between_cudnn", "dropout", {"above", "below"}, no_dropout_between_cudnn},
      {"not_deterministic", "deterministic", {}, not_deterministic},
      {"type_in", "dtype", {"types"}, type_in},
      {"no_mask", "mask", {}, no_mask, "it takes no attn_mask"},
      {"mask_without_grad", "mask", {}, mask_without_grad, "attn_mask needs a gradient"},
      {"mask_shape", "mask", {}, mask_shape},
      {"sm_between", "GPU", {"low", "high"}, sm_between},
      {"no_dropout", "dropout", {}, no_dropout, "it takes no dropout"},
      {"nonzero_lengths", "length", {}, nonzero_lengths},
      {"last_stride_one", "strides", {}, last_stride_one},
      {"heads_fit", "heads", {}, heads_fit},
      {"heads_divide", "heads", {}, heads_divide},
      {"heads_broadcast", "heads", {}, heads_broadcast},
      {"batch_and_heads_at_most", "heads", {"most"}, batch_and_heads_at_most},
      {"heads_at_most", "heads", {"most"}, heads_at_most},
      {"batch_at_most_if_dropout", "dropout", {"most"}, batch_at_most_if_dropout},
      {"d_at_most", "head size", {"most"}, d_at_most},
      {"d_multiple_of", "head size", {"of"}, d_multiple_of},
      {"same_d_at_most", "head size", {"most"}, same_d_at_most},
      {"same_d", "head size", {}, same_d},
      {"d_aligned", "head size", {}, d_aligned},
      {"keys_not_one", "length", {}, keys_not_one},
      {"lengths_not_one", "length", {}, lengths_not_one},
      {"no_dropout_of_one_row", "dropout", {}, no_dropout_of_one_row},
      {"trains_at_this_d", "training", {}, trains_at_this_d},
      {"never", "build", {"value"}, never},
      {"variable_is_one", "environment", {"variable"}, variable_is_one},
      {"not_training", "training", {}, not_training},
      {"stored_bnhd", "layout", {}, stored_bnhd},
      {"without_enable_gqa", "heads", {}, without_enable_gqa},
      {"dropout_multiple_of", "dropout", {"parts"}, dropout_multiple_of},
      {"cudnn_trains_at_this_d", "training", {"above"}, cudnn_trains_at_this_d},
      {"square_if_causal", "mask", {}, square_if_causal},
      {"no_mask_if_causal", "mask", {}, no_mask_if_causal},
  };
  return rows;
}

const RuleCheck* check_named(const std::string& name) {
  for (const RuleCheck& row : rule_checks())
    if (name == row.name) return &row;
  return nullptr;
}

std::string refusal_words(const Rule& rule) {
  const RuleCheck* const check = check_named(rule.check);
  const std::string refusal = check ? check->refusal : "";
  return refusal.empty() ? "it needs " + rule.says : refusal;
}

bool is_refused_for_call(const Rule& rule) { return rule.check != "enabled" && rule.check != "variable_is_one"; }

std::string nearest_check(const std::string& name) {
  std::vector<std::string> names;
  for (const RuleCheck& row : rule_checks()) names.push_back(row.name);
  return nearest(name, names);
}

int sm_from(const std::string& text) {
  std::string_view rest = text;
  const auto major = within(parse_integer<int>(take_until(rest, '.')), 0, 99);
  const auto minor = within(parse_integer<int>(rest), 0, 9);
  return major.value_or(0) * 10 + minor.value_or(0);
}

}  // namespace tilewalk
