#include "app/cli/named_pages.h"

#include <iterator>

#include "base/words.h"
#include "session/document/words.h"

namespace tilewalk {

const std::vector<NamedPage>& named_pages() {
  static const std::vector<NamedPage> rows = [] {
    std::vector<NamedPage> out;
    for (std::size_t i = 0; i < std::size(kPageWords); ++i) {
      out.push_back({.name = kPageWords[i], .page = Page(i)});
      if (Page(i) != Page::Compare) continue;
      out.push_back({.name = "lanes",
                     .page = Page::Compare,
                     .filling = Filling::Sms,
                     .shows = "compare: what a thread block does when, the SMs, and a table of differences"});
      out.push_back({.name = "warps",
                     .page = Page::Compare,
                     .filling = Filling::Warps,
                     .shows = "lanes, with a thread block's warps instead of the SMs"});
      out.push_back({.name = "waves",
                     .page = Page::Compare,
                     .filling = Filling::Waves,
                     .shows = "compare: all SMs of both sides, wave by wave"});
      out.push_back({.name = "pipes",
                     .page = Page::Compare,
                     .filling = Filling::Pipes,
                     .shows = "compare: both sides' bytes between HBM and SRAM"});
      out.push_back({.name = "chip",
                     .page = Page::Compare,
                     .filling = Filling::Sms,
                     .chip = true,
                     .shows = "lanes, beside those recorded on the GPU"});
    }
    return out;
  }();
  return rows;
}

std::string help_of_pages() {
  std::vector<std::string> words;
  for (const NamedPage& page : named_pages())
    words.push_back(page.name + (page.shows.empty() ? "" : " (" + page.shows + ")"));
  return listed(words, " or ") + " (default: the session's)";
}

}  // namespace tilewalk
