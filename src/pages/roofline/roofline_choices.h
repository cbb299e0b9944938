// The choices that the page of the roofline has beside the window's call, whose GPU the header chooses for all pages:
// the recorded processors in its place, this machine once it was measured; heads and batch as in the races; the rates
// of an own card as fields; and whether this machine can be measured.
#pragma once

#include "pages/roofline/roofline_page.h"

namespace tilewalk {

std::vector<RooflineTags> roofline_choices(const RooflineController&);
// "each N with 2×32 heads · as raced is off: N 3,000 was not raced"
std::string over_n_words(const RooflineController&);
std::string machine_title(const RooflineController&);  // of the chosen one: "H200 · measured", "your own GPU"
std::vector<RooflineField> own_card_fields(const RooflineController&);
RooflineMeasure measure_choice(const RooflineController&);

// The lengths of the list and the current one, in order.
std::vector<std::int64_t> roofline_lengths(const RooflineController&);

}  // namespace tilewalk
