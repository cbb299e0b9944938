// Columns of the tables that profilers print, and the numbers in them. Internal to dispatch/profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/profile/profile.h"

namespace tilewalk {

inline constexpr std::size_t kMostLinesBefore = 1000;  // lines that tools print before the table

std::optional<double> time_unit(std::string_view word);  // in ns: 1000 for "us"
std::optional<double> amount(std::string text);          // "7,712" and "12.5": not negative
std::optional<KernelTime> time_of(std::optional<double> calls, std::optional<double> amount, double unit);

// By their titles: "Total Time (ns)" is "Total Time" in nanoseconds.
class TableColumns {
 public:
  explicit TableColumns(const std::vector<std::string>& heads) : heads_(heads) {}

  std::optional<std::size_t> find(std::string_view word) const;
  std::optional<double> unit(std::size_t column) const;
  std::size_t size() const { return heads_.size(); }

 private:
  std::vector<std::string> heads_;
};

// A table of Nsight Systems or of rocprof, whose kernels have names and times in ns or in the unit of the title.
struct TimesTable {
  std::size_t name, time;
  std::optional<std::size_t> calls, category;  // no column of calls: one call a line
  std::optional<std::size_t> begin;            // the time is the difference to this column
  double unit;
};
std::optional<TimesTable> nsys_table(const TableColumns&);
std::optional<TimesTable> rocprof_table(const TableColumns&);

bool is_copy_name(std::string_view);  // "[CUDA memcpy …", "Memcpy DtoH …", "Memset …"

}  // namespace tilewalk
