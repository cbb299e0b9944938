#include "base/typed_quantity.h"

#include <cmath>

#include "base/replace_all.h"
#include "base/typed_number.h"
#include "base/words.h"

namespace tilewalk {
namespace {

enum class Kind { Plain, Bytes, Time, Rate, FlopRate, Flops, Intensity };

struct Unit {
  const char* name;
  Kind kind;
  double size;
  const char* spellings;  // others, in small letters, between commas
};

constexpr double kKi = 1024;
constexpr Unit kUnits[] = {
    {"×", Kind::Plain, 1, ",x,times,fold,-fold,times as fast,times as many,times as large,times as long,"},
    {"%", Kind::Plain, 0.01, ",percent,per cent,"},
    {"B", Kind::Bytes, 1, ",bytes,byte,"},
    {"KiB", Kind::Bytes, kKi, ",kibibytes,kibibyte,"},
    {"MiB", Kind::Bytes, kKi* kKi, ",mebibytes,mebibyte,"},
    {"GiB", Kind::Bytes, kKi* kKi* kKi, ",gibibytes,gibibyte,"},
    {"TiB", Kind::Bytes, kKi* kKi* kKi* kKi, ",tebibytes,tebibyte,"},
    {"kB", Kind::Bytes, 1e3, ",kilobytes,kilobyte,"},
    {"MB", Kind::Bytes, 1e6, ",megabytes,megabyte,"},
    {"GB", Kind::Bytes, 1e9, ",gigabytes,gigabyte,"},
    {"TB", Kind::Bytes, 1e12, ",terabytes,terabyte,"},
    {"bit", Kind::Bytes, 1.0 / 8, ",bits,"},
    {"s", Kind::Time, 1, ",sec,secs,second,seconds,"},
    {"ms", Kind::Time, 1e-3, ",msec,millisecond,milliseconds,"},
    {"µs", Kind::Time, 1e-6, ",us,usec,\u03bcs,microsecond,microseconds,"},  // the Greek letter too
    {"ns", Kind::Time, 1e-9, ",nsec,nanosecond,nanoseconds,"},
    {"min", Kind::Time, 60, ",minute,minutes,"},
    {"B/s", Kind::Rate, 1, ",bytes/s,byte/s,"},
    {"MB/s", Kind::Rate, 1e6, ",mbps,"},
    {"GB/s", Kind::Rate, 1e9, ",gbps,"},
    {"TB/s", Kind::Rate, 1e12, ",tbps,"},
    {"GiB/s", Kind::Rate, kKi* kKi* kKi, ","},
    {"TiB/s", Kind::Rate, kKi* kKi* kKi* kKi, ","},
    {"FLOP/s", Kind::FlopRate, 1, ",flops/s,"},
    {"GFLOP/s", Kind::FlopRate, 1e9, ",gflops/s,"},
    {"TFLOP/s", Kind::FlopRate, 1e12, ",tflops/s,"},
    {"PFLOP/s", Kind::FlopRate, 1e15, ",pflops/s,"},
    {"FLOP", Kind::Flops, 1, ",flops,"},
    {"MFLOP", Kind::Flops, 1e6, ",mflops,"},
    {"GFLOP", Kind::Flops, 1e9, ",gflops,"},
    {"TFLOP", Kind::Flops, 1e12, ",tflops,"},
    {"FLOP per byte", Kind::Intensity, 1, ",flop/byte,flops/byte,flop/b,flops per byte,flops for each byte,"},
};

const char* what_it_counts(Kind kind) {
  switch (kind) {
    case Kind::Plain: return "ratios";
    case Kind::Bytes: return "memory";
    case Kind::Time: return "time";
    case Kind::Rate: return "bytes per second";
    case Kind::FlopRate: return "FLOPs per second";
    case Kind::Flops: return "FLOPs";
    case Kind::Intensity: break;
  }
  return "FLOPs for each byte";
}

const Unit* unit_named(std::string_view word) {
  const std::string small = lower_case(std::string(word));
  for (const Unit& unit : kUnits)
    if (small == lower_case(unit.name) || std::string_view(unit.spellings).find("," + small + ",") != std::string::npos)
      return &unit;
  return nullptr;
}

std::string without_plural(std::string word) {
  if (word.size() > 1 && word.back() == 's') word.pop_back();
  return word;
}

// "tile", "Tiles" for "tiles"; "blocks" for "thread blocks".
bool names_counted(std::string_view typed, std::string_view counted) {
  const std::string word = without_plural(lower_case(std::string(typed)));
  const std::string whole = without_plural(lower_case(std::string(counted)));
  return word == whole || word == whole.substr(whole.rfind(' ') + 1);
}

std::string what_is_asked(const Unit* unit, std::string_view expected) {
  const std::string name(expected);
  if (!unit) return "a number of " + name;
  switch (unit->kind) {
    case Kind::Plain: return expected == "%" ? "a share, in %" : "a number without a unit";
    case Kind::Bytes: return "a number of bytes, such as 64 KiB";
    case Kind::Time: return "a time, in " + name;
    default: return std::string(what_it_counts(unit->kind)) + ", in " + unit->name;
  }
}

// The longest beginning that is a number, and the rest. A unit that begins like a part of a number still is one.
struct Split {
  std::optional<double> number;
  std::string rest;
};
Split split_at_unit(const std::string& text) {
  for (std::size_t length = text.size(); length > 0; --length)
    if (const std::optional<double> number = typed_number(text.substr(0, length)))
      return {number, trimmed(text.substr(length))};
  return {std::nullopt, text};
}

// "about 4", "≈ 4", "= 4".
std::string without_about(std::string text) {
  for (const std::string_view mark : {"about ", "≈", "~", "="})
    if (text.starts_with(mark)) text = trimmed(text.substr(mark.size()));
  return text;
}

}  // namespace

std::string slip_of_scale(double typed, std::string_view expected, const std::function<bool(double)>& fits) {
  const Unit* const wanted = expected.empty() ? &kUnits[0] : unit_named(expected);
  if (!wanted || wanted->kind == Kind::Bytes) return {};
  for (const Unit& unit : kUnits) {
    if (&unit == wanted || unit.kind != wanted->kind) continue;
    const double factor = unit.size / wanted->size, decades = std::log10(factor);
    if (std::abs(decades - std::round(decades)) > 1e-9 || !fits(typed * factor)) continue;
    return std::string("That is in ") + unit.name + ". The question asks for " + what_is_asked(wanted, wanted->name) +
           ".";
  }
  return {};
}

TypedQuantity typed_quantity(std::string_view typed, std::string_view expected) {
  constexpr std::size_t kLongest = 96;
  if (typed.size() > kLongest) return {.value = {}, .unit = "", .error = "That is too long for a number."};
  std::string text = without_about(trimmed(std::string(typed)));
  for (const char* space : {"\u00a0", "\u202f"}) replace_all(text, space, " ");
  const Split split = split_at_unit(text);
  const Unit* const wanted = expected.empty() ? &kUnits[0] : unit_named(expected);
  if (!split.number)
    return {.value = {},
            .unit = "",
            .error = "That is not a number. Type digits, a point or a comma, and a unit if you like."};
  const double number = *split.number;
  if (split.rest.empty()) return {.value = number, .unit = "", .error = ""};
  const Unit* const unit = unit_named(split.rest);
  if (unit && wanted && unit->kind == wanted->kind)
    return {.value = number * unit->size / wanted->size, .unit = unit->name, .size = unit->size, .error = ""};
  if (!wanted && names_counted(split.rest, expected))
    return {.value = number, .unit = std::string(expected), .error = ""};
  const std::string asked = what_is_asked(wanted, expected);
  if (unit)
    return {.value = {},
            .unit = unit->name,
            .size = unit->size,
            .error = std::string(unit->name) + " is a unit of " + what_it_counts(unit->kind) +
                     ". The question asks for " + asked + ".",
            .begins_right = true};
  return {.value = {},
          .unit = "",
          .error = "\u201c" + split.rest + "\u201d is not a unit here. The question asks for " + asked + ".",
          .begins_right = true};
}

}  // namespace tilewalk
