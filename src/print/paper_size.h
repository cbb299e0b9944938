// The sheets that print-outs are made for.
#pragma once

namespace tilewalk {

enum class PaperSize { A4, Letter };

}  // namespace tilewalk
