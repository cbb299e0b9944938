#include "session/export_controller.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "files/file_io.h"

namespace tilewalk {
namespace {

std::string whole_path(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path whole = std::filesystem::absolute(path, unknown);
  return unknown ? path : whole.string();
}

}  // namespace

bool ExportController::would_tell(ExportKind kind) const {
  const auto& reveals = export_row(kind).reveals;
  const auto hidden = [this](const char* word) { return word && lesson_.hides(word); };
  return reveals[0] && (lesson_.asks_for_a_number() || std::any_of(std::begin(reveals), std::end(reveals), hidden));
}

void ExportController::carry_out(const ExportFile& c) {
  exports_.asks_to_replace.clear();
  const ExportRow& row = export_row(c.kind);
  if (exports_.running) return messages_.refuse("An export is running; stop it first", About::Problem);
  if (would_tell(c.kind))
    return messages_.refuse("The lesson asks for a number that this file would show. Answer first, or leave the lesson",
                            About::Problem);
  if (!c.path.ends_with(row.ending) && !(row.other_ending && c.path.ends_with(row.other_ending)))
    return messages_.refuse(Issues{{c.path, "",
                                    std::string("must end in ") + row.ending +
                                        (row.other_ending ? std::string(" or ") + row.other_ending : ""),
                                    std::string("Such as ") + row.name}},
                            About::Problem);
  if (!c.replace.value_or(false) && identity_of(c.path) != FileIdentity{}) {
    exports_.asks_to_replace = c.path;
    return messages_.refuse(c.path + ": is there already. Replace it, or choose another name", About::Problem);
  }
  messages_.clear();
  exports_.kind = c.kind;
  exports_.path = c.path;
  exports_.square = c.square.value_or(false) && needs_a_picture(c.kind);
  exports_.start();
  if (row.needs == ExportNeeds::View) view_.open(Dialog::None);  // the dialog is not part of the view
}

void ExportController::carry_out(const ReportExport& c) {
  if (!exports_.running) return;
  exports_.report(c.news.running, c.news.fraction);
  if (c.news.running) return;
  if (!c.news.failure.empty()) return messages_.refuse(c.news.failure, About::Deed);
  messages_.say(c.news.stopped ? "Stopped; nothing was written" : "Written: " + whole_path(exports_.path));
  if (view_.dialog() == Dialog::Export && !c.news.stopped) view_.open(Dialog::None);
}

}  // namespace tilewalk
