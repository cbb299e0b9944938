#include "session/lesson/drawn_win.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/median.h"
#include "base/random.h"
#include "core/problem/device_model.h"
#include "measured/held_against.h"

namespace tilewalk {

namespace {

constexpr std::int64_t kLeastLength = 2048, kMostLength = 32768;

bool is_asked(const RaceTime& time) {
  if (time.rung != "flash_v2" && time.rung != "flash_v3") return false;
  if (time.pass != "forward" || time.dtype != "bf16" || (time.d != 64 && time.d != 128)) return false;
  if (time.n < kLeastLength || time.n > kMostLength || !std::has_single_bit(std::uint64_t(time.n))) return false;
  const AttentionMethod& method = *method_named(time.rung);
  const DeviceModel& card = device_of({.device = "h200"});
  const std::int64_t rows = tile_of(method, call_of(time), card).br;
  return time.heads * time.batch * (time.n / rows) >= card.sms;
}

bool suits(const WinToAsk& win, int place) {
  const bool two = win.fast->id == std::string("flash_v2");
  switch (place) {
    case 1: return two && win.call.d == 64 && !win.call.causal;
    case 2: return !two && win.call.d == 64 && !win.call.causal;
    case 3: return !two && win.call.d == 128 && !win.call.causal;
    case 4: return two && win.call.causal;
    default: return true;
  }
}

}  // namespace

bool WinToAsk::operator==(const WinToAsk& other) const {
  return fast == other.fast && cell_of(call) == cell_of(other.call);
}

std::vector<WinToAsk> wins_to_ask(const RaceTimes& times) {
  std::vector<WinToAsk> out;
  for (const RaceTime& time : times.times) {
    if (!is_asked(time)) continue;
    const auto naive = times.ms_of("naive", time), fast = times.ms_of(time.rung, time);
    if (!naive || !fast) continue;
    const WinToAsk win{call_of(time), method_named(time.rung), *naive, *fast};
    if (std::find(out.begin(), out.end(), win) == out.end()) out.push_back(win);
  }
  return out;
}

DrawnWin drawn_win(const std::vector<WinToAsk>& wins, int round, int place) {
  std::vector<std::size_t> order(wins.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<std::uint64_t> keys(wins.size());
  for (std::size_t i = 0; i < wins.size(); ++i) keys[i] = random_bits(std::uint64_t(round), 14, i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<std::size_t> taken;
  for (int at = 1; at <= place; ++at) {
    const auto found = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
      return suits(wins[i], at) && std::find(taken.begin(), taken.end(), i) == taken.end();
    });
    if (found == order.end()) return std::nullopt;
    taken.push_back(*found);
  }
  return wins[taken.back()];
}

double win_on_paper(const WinToAsk& win) {
  const DeviceModel& card = device_of({.device = "h200"});
  return method_named("naive")->paper_s(win.call, card) / win.fast->paper_s(win.call, card);
}

double Guesses::median() const {
  std::vector<double> sizes;
  for (const double miss : misses) sizes.push_back(std::fabs(miss));
  return sizes.empty() ? 0 : tilewalk::median(std::move(sizes));
}

}  // namespace tilewalk
