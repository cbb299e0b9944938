// What the thread block of one side of the pipes has in SRAM, in words and as tiles.
#pragma once

#include "view/pipes/pipes_model.h"

namespace tilewalk {

// Sets the side's sram_of, sram_title, sram_text and on_chip for the state after that many steps.
void describe_sram(const Schedule&, std::int64_t cursor, PipeSide&);

}  // namespace tilewalk
