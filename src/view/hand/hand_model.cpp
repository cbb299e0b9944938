#include "view/hand/hand_model.h"

#include "base/words.h"
#include "session/hand/hand_words.h"
#include "view/hand/hide.h"

namespace tilewalk {
namespace {

const HandQuantities kInTheTable = {Quantity::TileMax, Quantity::TileSum, Quantity::Follow, Quantity::M,
                                    Quantity::Alpha,   Quantity::Beta,    Quantity::L,      Quantity::D};

std::string rows_text(const HandRows& rows) {
  switch (rows.kind) {
    case HandRows::None: return "";
    case HandRows::One: return "one row";
    case HandRows::All: return "all rows";
    case HandRows::These: break;
  }
  return rows.these.size() == 1 ? "row " + std::to_string(rows.these[0]) : std::to_string(rows.these.size()) + " rows";
}

std::string letters(const HandQuantities& quantities) {
  if (quantities.size() > 4) return "some";
  std::string out;
  for (const Quantity quantity : quantities) add_to_list(out, std::string(ledger_row(quantity).letter), " ");
  return out;
}

}  // namespace

std::optional<HandModel> build_hand_model(const Session& session) {
  const HandController& hand = session.hand();
  if (!hand.on()) return std::nullopt;
  HandModel model;
  const HandField* at = hand.focused() ? hand.focused() : hand.first_open();
  if (at && !at->stands()) {
    model.at_hand = at->place;
    model.hints_left = at->hints < kMostHints;
  }
  if (hand.hides()) model.text = kSentenceWaits;
  if (const HandField* field = hand.focused(); field && !field->stands()) {
    model.wrong = !field->diagnosis.empty();
    model.text = (model.wrong ? field->diagnosis + "\n" : "") + hand.prompt();
    if (!field->hint.empty()) model.text += "\n" + field->hint;
  }
  const std::size_t all = hand.fields().size();
  if (all > 0) model.progress = std::to_string(all - std::size_t(hand.open())) + " of " + std::to_string(all);
  const bool every = hand.quantities().empty();
  model.rows = rows_text(hand.rows());
  model.quantities = every                              ? "everything"
                     : hand.quantities() == kInTheTable ? "m α ℓ alone"
                                                        : letters(hand.quantities());
  std::optional<HandQuantities> asked;
  if (!every) asked = hand.quantities();
  model.other_rows = {{hand.rows().kind == HandRows::All ? HandRows::One : HandRows::All, {}}, asked};
  model.other_quantities = {hand.rows(), every ? std::optional(kInTheTable) : std::nullopt};
  return model;
}

std::string hand_question(const Session& session) {
  const std::optional<HandModel> model = build_hand_model(session);
  if (!model || !model->at_hand) return "";
  const HandController& hand = session.hand();
  if (hand.focused()) return model->text + "\nEnter checks · F1 gives a hint · Shift+Enter shows it";
  return hand.prompt_of_field(*hand.field(*model->at_hand)) + "\nTab or a click goes to its field";
}

}  // namespace tilewalk
