// The choices on the page of the roofline: the usual cards, the recorded processors, this machine once it was measured,
// and calls as tags, with the current value among them even where it is not usual; the rates of an own card as fields;
// and whether this machine can be measured.
#pragma once

#include "pages/roofline/roofline_page.h"

namespace tilewalk {

std::vector<RooflineTags> roofline_choices(const RooflineController&);
std::vector<RooflineField> own_card_fields(const RooflineController&);
RooflineMeasure measure_choice(const RooflineController&);

// The lengths of the list and the current one, in order.
std::vector<std::int64_t> roofline_lengths(const RooflineController&);

}  // namespace tilewalk
