// A table of a lesson's TOML, with a lesson's own types beside plain values: expressions, sentences, commands. Adds an
// issue with the line for each error. Internal to session/lesson.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/table_reader.h"
#include "session/command/command_text.h"
#include "session/lesson/lesson_prose.h"

namespace tilewalk {

class BlockReader {
 public:
  BlockReader(const toml::table& table, std::string where, const std::string& file, const NamedProblems& problems,
              Issues& issues)
      : keys(table, std::move(where), file, issues), file_(file), problems_(problems), issues_(issues) {}

  TableReader keys;

  std::string place_of(const toml::node& node) const {
    return file_ + ", line " + std::to_string(node.source().begin.line);
  }
  std::optional<Expression> expression(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    return node ? taken(Expression::parse(text, place_of(*node), problems_)) : std::nullopt;
  }
  Sentence sentence(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    return node ? taken(parse_sentence(text, place_of(*node), problems_)).value_or(Sentence{}) : Sentence{};
  }
  std::vector<Command> commands(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    if (!node) return {};
    Result<std::vector<Command>> commands = commands_from(text, Reach::Scene);
    if (commands) return std::move(*commands);
    for (Issue issue : commands.issues()) {
      issue.field = place_of(*node) + ", " + issue.field;
      issues_.push_back(std::move(issue));
    }
    return {};
  }
  // The arguments of the command "by-hand": "9 ask m+alpha+l".
  std::optional<AskByHand> by_hand(const char* key) {
    std::string text;
    const toml::node* node = words(key, text, true);
    if (!node) return std::nullopt;
    const Result<Command> command = command_from("by-hand " + text);
    if (command)
      if (const AskByHand* ask = command->as<AskByHand>()) return *ask;
    refuse(key, text, command ? "is not a command of work by hand" : in_one_line(command.issues()),
           "Such as 9 ask m+alpha+l");
    return std::nullopt;
  }
  // The node if it is text; a missing one is an issue if it is needed.
  const toml::node* words(const char* key, std::string& out, bool needed) {
    const toml::node* node = keys.take(key);
    if (!node && needed) missing(key);
    if (!node) return nullptr;
    keys.text(key, out);
    return node->is_string() ? node : nullptr;
  }
  std::vector<std::string> list(const char* key) {
    std::vector<std::string> out;
    each(key, [&](const toml::node& node) {
      if (const auto text = node.value_exact<std::string>())
        out.push_back(*text);
      else
        keys.refuse(node, key, "must be a list of texts", std::string("Such as ") + key + " = [\"text\"]");
    });
    return out;
  }
  std::vector<Sentence> sentences(const char* key, std::size_t most) {
    std::vector<Sentence> out;
    each(key, [&](const toml::node& node) {
      const auto text = node.value_exact<std::string>();
      if (!text)
        return keys.refuse(node, key, "must be a list of texts", std::string("Such as ") + key + " = [\"text\"]");
      if (out.size() == most) return keys.refuse(node, key, "has too many values", "At most " + std::to_string(most));
      if (auto sentence = taken(parse_sentence(*text, place_of(node), problems_))) out.push_back(std::move(*sentence));
    });
    return out;
  }
  void tables(const char* key, std::size_t most, const std::function<void(BlockReader&)>& read) {
    std::size_t count = 0;
    each(key, [&](const toml::node& node) {
      if (!node.is_table()) return keys.refuse(node, key, "must be a table", std::string("Such as [[") + key + "]]");
      if (++count > most) return keys.refuse(node, key, "there are too many", "At most " + std::to_string(most));
      BlockReader reader(*node.as_table(), std::string(key) + ".", file_, problems_, issues_);
      reader.place_ = place_of(node);
      read(reader);
      reader.keys.refuse_unknown();
    });
  }
  // A table of texts: calls `take` with the name, the text and its place.
  void texts(const char* key,
             const std::function<void(const std::string&, const std::string&, const std::string&)>& take) {
    const toml::node* node = keys.take(key);
    if (!node) return;
    if (!node->is_table()) return keys.refuse(*node, key, "must be a table", std::string("Such as [") + key + "]");
    for (const auto& [name, value] : *node->as_table())
      if (const auto text = value.value_exact<std::string>())
        take(std::string(name.str()), *text, place_of(value));
      else
        keys.refuse(value, key, "must contain only texts", std::string(name.str()) + " = \"text\"");
  }
  void refuse(const char* key, std::string value, std::string rule, std::string way_out) {
    issues_.push_back({place_ + ", " + key, std::move(value), std::move(rule), std::move(way_out)});
  }
  void missing(const char* key) {
    issues_.push_back({place_, std::string(key), "is missing", std::string("Such as ") + key + " = \"…\""});
  }
  void at(std::string place) { place_ = std::move(place); }

 private:
  template <class T>
  std::optional<T> taken(Result<T> result) {
    if (result) return std::move(*result);
    append(issues_, result.issues());
    return std::nullopt;
  }
  void each(const char* key, const std::function<void(const toml::node&)>& act) {
    const toml::node* node = keys.take(key);
    if (!node) return;
    if (!node->is_array()) return keys.refuse(*node, key, "must be a list", std::string("Such as ") + key + " = []");
    for (const toml::node& member : *node->as_array()) act(member);
  }

  const std::string& file_;
  const NamedProblems& problems_;
  Issues& issues_;
  std::string place_;
};

}  // namespace tilewalk
