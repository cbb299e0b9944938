#include "session/lesson/lesson_picture.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/words.h"
#include "session/lesson/lesson_blocks.h"

namespace tilewalk {
namespace {

constexpr const char* kPictureNames[] = {"bars", "areas", "cells", "numbers", "tiles", "pairs", "trips"};
constexpr std::size_t kMostItems = 14, kMostNumbers = 16;
constexpr std::int64_t kMostGroup = 1024;

std::optional<TensorId> tensor_of(const std::string& word) {
  const auto at = std::find(kTensorNames.begin(), kTensorNames.end(), word);
  return at == kTensorNames.end() ? std::nullopt : std::optional(TensorId(at - kTensorNames.begin()));
}

void refuse_tensor(BlockReader& block, const char* key, const std::string& word) {
  block.refuse(key, word, "is not a tensor",
               "The nearest is " + nearest(word, {kTensorNames.begin(), kTensorNames.end()}));
}

PictureItem read_item(BlockReader& block, PictureKind kind) {
  PictureItem item;
  block.words("heading", item.heading, false);
  block.words("name", item.name, true);
  std::string hue;
  block.words("hue", hue, false);
  item.hue = tensor_of(hue);
  item.sram = hue == "SRAM";
  if (!hue.empty() && !item.hue && !item.sram) refuse_tensor(block, "hue", hue);
  item.says = block.sentence("says", false);
  block.keys.yes_or_no("asked", item.asked);
  if (kind == PictureKind::Trips)
    item.trip = read_trip(block);
  else if (kind == PictureKind::Numbers)
    item.numbers = block.sentences("numbers", kMostNumbers);
  else
    item.value = block.expression("value", true);
  if (kind == PictureKind::Bars || kind == PictureKind::Areas) item.guess = block.expression("guess", false);
  if (kind == PictureKind::Bars) block.keys.yes_or_no("zoomed", item.zoomed);
  if (kind == PictureKind::Bars) block.keys.yes_or_no("same_scale", item.same_scale);
  if (kind == PictureKind::Cells || kind == PictureKind::Tiles) block.keys.yes_or_no("shape_asked", item.shape_asked);
  if (kind != PictureKind::Cells) return item;
  block.keys.whole("group", item.group, 0, kMostGroup);
  std::string rings;
  block.words("rings", rings, false);
  for (const std::string& each : split_words(rings)) {
    const std::optional<std::int64_t> cell = parse_integer(each);
    if (cell && *cell >= 0)
      item.rings.push_back(*cell);
    else
      block.refuse("rings", each, "is not the number of a cell", "Cells are counted from 0: rings = \"3 19\"");
  }
  return item;
}

}  // namespace

const char* name_of(PictureKind kind) { return kPictureNames[int(kind)]; }

LessonPicture read_picture(BlockReader& block, int line) {
  LessonPicture picture;
  picture.line = line;
  std::string kind;
  block.words("kind", kind, true);
  const auto* const known = std::find(std::begin(kPictureNames), std::end(kPictureNames), kind);
  if (known != std::end(kPictureNames))
    picture.kind = PictureKind(known - std::begin(kPictureNames));
  else
    block.refuse("kind", kind, "is not a kind of picture",
                 "The nearest is " + nearest(kind, {std::begin(kPictureNames), std::end(kPictureNames)}));
  picture.title = block.sentence("title", true);
  picture.note = block.sentence("note", false);
  if (picture.kind == PictureKind::Numbers) picture.columns = block.list("columns");
  block.tables("item", kMostItems, [&](BlockReader& item) { picture.items.push_back(read_item(item, picture.kind)); });
  if (picture.items.empty() && picture.kind != PictureKind::Trips)
    block.refuse("item", "", "needs one or more", "Add an [[item]]");
  if (picture.kind == PictureKind::Pairs && picture.items.size() != 3)
    block.refuse("item", std::to_string(picture.items.size()), "is not the number of items of pairs",
                 "Give three: what is down, what is across, and the pairs");
  for (const PictureItem& item : picture.items)
    if (!picture.columns.empty() && item.numbers.size() > picture.columns.size())
      block.refuse("columns", std::to_string(picture.columns.size()), "are fewer than the cells of " + item.name,
                   "Give a word for each of its " + std::to_string(item.numbers.size()) + " cells");
  if (picture.kind != PictureKind::Bars) return picture;
  std::optional<Expression> mark = block.expression("mark", false);
  std::string name;
  block.words("mark_name", name, mark.has_value());
  block.keys.yes_or_no("logarithmic", picture.logarithmic);
  if (mark) picture.mark = PictureMark{std::move(*mark), std::move(name)};
  return picture;
}

TripStep read_trip(BlockReader& block) {
  TripStep step;
  const auto read = [&](const char* key, std::vector<TensorId>& out) {
    std::string text;
    block.words(key, text, false);
    for (const std::string& word : split_words(text))
      if (const std::optional<TensorId> tensor = tensor_of(word))
        out.push_back(*tensor);
      else
        refuse_tensor(block, key, word);
  };
  read("loads", step.loads);
  read("makes", step.makes);
  read("writes", step.writes);
  return step;
}

}  // namespace tilewalk
