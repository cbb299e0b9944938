// Names and how long they are known.
#include "base/nearest.h"
#include "lab/language/compiler.h"
#include "lab/language/program.h"

namespace tilewalk::lab {

void Compiler::open_scope(ScopeKind kind) { scopes_.push_back({symbols_.size(), next_register_, kind}); }

void Compiler::close_scope() {
  for (std::size_t at = scopes_.back().first; at < symbols_.size(); ++at) {
    const Symbol& each = symbols_[at];
    ended_.push_back({each.name, each.place, scopes_.back().kind});
    if (!each.is_constant && kernel_->variables.size() < 10'000)
      kernel_->variables.push_back(
          {std::string(each.name), type_name(each.type), each.reg, each.object, each.begin, here(), each.place});
  }
  symbols_.resize(scopes_.back().first);
  next_register_ = scopes_.back().next_register;
  scopes_.pop_back();
}

void Compiler::no_variable(const Expr& e) {
  const std::string name(e.name), what = "there is no variable " + name;
  const std::size_t first = calls_.empty() ? 0 : calls_.back().first_ended;
  for (std::size_t at = ended_.size(); at-- > first;) {
    if (ended_[at].name != e.name) continue;
    const std::string of_line = "The " + name + " of line " + std::to_string(ended_[at].place.line) + " ended ";
    constexpr const char* kAgain = " Declare it again here, or once before the ";
    switch (ended_[at].kind) {
      case ScopeKind::EmptyLoop:
        return fail(e.place, what, of_line + "at the ; behind its loop's ): the loop has no body. Remove this ;.");
      case ScopeKind::Loop: return fail(e.place, what, of_line + "with its loop." + kAgain + "loop.");
      case ScopeKind::If: return fail(e.place, what, of_line + "with its if." + kAgain + "if.");
      case ScopeKind::Block:
      case ScopeKind::Function:
        return fail(e.place, what, of_line + "with its block, at a } above." + kAgain + "block.");
    }
  }
  std::vector<std::string> names;
  for (const Symbol& each : symbols_) names.emplace_back(each.name);
  for (const Function& each : text_.functions) names.emplace_back(each.name);
  const std::string other = alike_word(name, names);
  fail(e.place, what,
       other.empty() ? "Declare it: int " + name + " = 0; for a whole number, float " + name + " = 0.0f; for another."
                     : "Did you mean " + other + "?");
}

}  // namespace tilewalk::lab
