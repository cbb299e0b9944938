// The shared machinery of schedules: sections of groups of prologue steps, tile visits and epilogue steps, counted in
// closed form. A concrete schedule supplies a SchedulePlan; everything else follows from the geometry.
#pragma once

#include <memory>

#include "core/walk/schedule.h"

namespace tilewalk {

std::unique_ptr<const Schedule> make_sectioned_schedule(const Problem&, SchedulePlan);

}  // namespace tilewalk
