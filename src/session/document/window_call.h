// The window's call: the attention that Which answers for, that Roofline and Race show the time of, and that "Open as a
// walk" opens. There is one for all pages. A page that cannot show all of it says what it leaves out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/predict/attention_call.h"
#include "dispatch/call.h"
#include "session/document/document.h"

namespace tilewalk {

bool is_of_the_call(Page);  // Race, Roofline and Which are

Call start_call();  // of a fresh window: one that was raced on an H200

struct WindowCall {
  Call call = start_call();
  // Heads and batch follow N and d as in the recorded races. A length that was not raced keeps both.
  bool as_raced = true;
  bool operator==(const WindowCall&) const = default;
};

constexpr bool is_raced_length(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }  // powers of two were

// The fields that the header shows, by their names in call_fields(), in its order.
inline constexpr const char* kHeaderFields[] = {"device",   "dtype", "batch", "heads",
                                                "kv-heads", "n-q",   "d",     "is-causal"};
bool is_header_field(const std::string& field);
bool is_shape_field(const std::string& field);  // a size: typing it ends "as raced"

// What the model of time takes of a call; empty where it does not cover the call.
std::optional<AttentionCall> modelled_call(const Call&);
// Why it is empty, as the end of a sentence: "N_kv differs from N_q"; empty where it is not.
std::string why_not_modelled(const Call&);

// Puts a modelled call into the window's: its sizes, mask and type. Fewer KV heads than heads switch enable_gqa on.
void put(const AttentionCall&, Call&);

}  // namespace tilewalk
