// The command line that reproduces a document: the fields that differ from the defaults for the given length.
#include "base/units.h"
#include "core/fields/fields.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "session/document/session_file.h"

namespace tilewalk {
namespace {

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() &&
                     text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=,") ==
                         std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string command_line_for(const Document& document, std::string_view verb) {
  const Problem& p = document.problem;
  std::string out = "tilewalk " + std::string(verb);
  auto flag = [&](const std::string& name, const std::string& value) { out += " --" + name + " " + shell_word(value); };
  if (p.shape.n_q == p.shape.n_kv) flag("n", std::to_string(p.shape.n_q));
  for (const Field* field : editor_fields()) {
    const std::string name = field->name, value = field->text(p);
    bool wanted = value != field->text(Problem{});
    if (name == "n-q" || name == "n-kv") wanted = p.shape.n_q != p.shape.n_kv;
    if (name == "d" || name == "br" || name == "bc") wanted = true;
    if (name == "splits") wanted = row_of(p).settings.splits;  // with splits, the default is the row's value, not 1
    if (name == "kv-heads") wanted = p.shape.kv_heads != p.shape.heads;
    if (name == "sram")
      wanted = !device_named(p.machine.device) ||
               device_named(p.machine.device)->sram_per_block_bytes != p.machine.sram_bytes;
    if (wanted) flag(name, value);
  }
  const bool reads_do = has_input(row_of(p), TensorId::dO);  // a backward pass
  for (const InputSlot& slot : kInputSlots)
    if (const std::string& path = document.paths.*slot.path;
        !path.empty() && (reads_do || slot.path != &InputPaths::d_o))
      flag(slot.name, path);
  if (document.paths.any() && document.paths.rows_first) flag("layout", kLayoutWords[1]);
  for (const InputEdit& edit : document.edits)
    if (reads_do || edit.tensor != TensorId::dO)
      flag("edit", std::string(name_of(edit.tensor)) + ":" + std::to_string(edit.batch) + ":" +
                       std::to_string(edit.head) + ":" + std::to_string(edit.row) + ":" + std::to_string(edit.col) +
                       "=" + format_float(edit.value));
  if (verb == "replay" || verb == "render") flag("step", std::to_string(document.cursor));
  if (verb == "counters") flag("at", std::to_string(document.cursor));
  if (verb == "render") {
    if (!document.view.dark) flag("theme", "light");
    if (document.view.text_scale != 1.0) flag("ui-scale", format_float(float(document.view.text_scale)));
  }
  return out;
}

}  // namespace tilewalk
