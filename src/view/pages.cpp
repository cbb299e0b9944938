#include "view/pages.h"

namespace tilewalk {
namespace {

void build_walk(const PageSources& of, Views& views) {
  views.walk = build_walk_page(of.session, of.room, of.kernels, of.caches.scores);
}

void build_compare(const PageSources& of, Views& views) {
  views.compare =
      build_compare_page(of.session, of.room.lanes_width, of.room.waves_width, of.room.waves_height, of.caches.compare);
}

void build_race(const PageSources& of, Views& views) {
  views.race = build_race_model(of.session.race(), of.session.checks().gpu_present());
}

void build_tree(const PageSources& of, Views& views) { views.tree = build_tree_model(of.session.view().member()); }
void build_roofline(const PageSources& of, Views& views) {
  views.roofline = build_roofline_page(of.session.roofline(), of.caches.roofline);
}
void build_which(const PageSources& of, Views& views) {
  const WhichController& which = of.session.which();
  views.which = build_which_page(which, of.session.roofline().recorded(which.call().device));
}

}  // namespace

const std::vector<PageRow>& pages() {
  static const std::vector<PageRow> rows = {
      {.page = Page::Walk,
       .title = "Walk",
       .help = "One tile after the other",
       .turn = std::nullopt,
       .build = build_walk},
      {.page = Page::Compare,
       .title = "Compare",
       .help = "Lanes, SMs and differences beside a pinned schedule",
       .turn = Action::ShowCompare,
       .build = build_compare},
      {.page = Page::Race,
       .title = "Race",
       .help = "Measured speed of the fast kernels, recorded or run here",
       .turn = Action::ShowRace,
       .build = build_race},
      {.page = Page::Tree,
       .title = "Tree",
       .help = "The family of attention kernels: who came when, and what each changed",
       .turn = Action::ShowTree,
       .build = build_tree},
      {.page = Page::Which,
       .title = "Which",
       .help = "Which attention PyTorch takes for a call, and why",
       .turn = Action::ShowWhich,
       .build = build_which},
      {.page = Page::Roofline,
       .title = "Roofline",
       .help = "What FlashAttention wins at a length, on a GPU, and which roof holds it",
       .turn = Action::ShowRoofline,
       .build = build_roofline},
  };
  return rows;
}

const PageRow& row_of(Page page) { return pages().at(std::size_t(page)); }

}  // namespace tilewalk
