// Numbers as people read them. Bytes in binary units (KiB = 1024 B), operations in decimal ones (1 MFLOP = 1e6).
#pragma once

#include <cstdint>
#include <string>

namespace tilewalk {

std::string format_bytes(std::int64_t bytes);        // "64 B", "1.81 KiB", "256 MiB"
std::string format_count(std::int64_t count);        // "1,048,576"
std::string format_flops(std::int64_t operations);   // "320 FLOP", "1.05 MFLOP"
std::string format_fixed(double value, int digits);  // "-0.52", −∞ as "-inf", NaN as "nan"
std::string format_float(float value);               // the same for an fp32: "3.4e+38"
// The number of bytes in the unit that format_bytes gives other: "0.50" of 512 MiB beside 8 GiB.
std::string bytes_in_unit_of(std::int64_t bytes, std::int64_t other);
// That many significant digits, never an exponent: "4,060" and "0.0019". Precondition: finite, not negative.
std::string format_digits(double value, int digits);
std::string format_number(double value);  // the fewest digits that parse back to the same value: "0.1", "1e-31"
std::string format_bits(float value);     // "0x3f800000"

}  // namespace tilewalk
