// A session on the page of the lab, with the tasks of assets/lab.
#pragma once

#include <memory>
#include <string>

#include "session/session.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

inline void with_tasks(SessionSetup& setup) {
  setup.of<LabController>().load_tasks = [] {
    return lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  };
}

struct LabSession {
  std::unique_ptr<Session> session;
  explicit LabSession(LabProgress progress = {}, decltype(LabController::Setup::read_changed) read_changed = {}) {
    SessionSetup setup;
    with_tasks(setup);
    setup.of<LabController>().progress = std::move(progress);
    setup.of<LabController>().read_changed = std::move(read_changed);
    auto opened = Session::open({}, std::move(setup));
    REQUIRE(opened.ok());
    session = std::move(*opened);
    send(ShowPage{Page::Lab});
  }
  const LabController& lab() const { return session->lab(); }
  const lab::LabRunResult& result() const {
    REQUIRE(lab().result());
    return *lab().result();
  }
  std::string message() const { return session->message() ? session->message()->text : ""; }
  void send(const Command& c) {
    session->dispatch(c);
    for (int slices = 0; session->busy(); ++slices) {
      REQUIRE(slices < 100'000);
      session->dispatch(Work{64});
    }
  }
  std::string wrong(const std::string& name) const {
    for (const lab::WrongVersion& each : lab().task()->wrong)
      if (each.name == name) return each.text;
    FAIL("no such version");
    return {};
  }
};

}  // namespace tilewalk::test
