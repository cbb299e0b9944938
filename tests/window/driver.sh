# For the tests beside it: opens the real window under Xvfb, drives it with xdotool, and reads its state.
# The window writes its state to a file after every change; each check waits for what it expects, half a minute at most.
# Sourced with the program, and drop_files where that was built, as arguments.
set -u
program=$1
drop_files=${2:-}
# A line "passed failed skipped" for the sum over all tests, where there is a tally file.
tally() { [ -z "${TILEWALK_TALLY:-}" ] || echo "$*" >>"$TILEWALK_TALLY"; }
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; tally 0 0 1; exit 77; }
done

folder=$(mktemp -d)
state=$folder/state
passed=0
failed=0
skipped=0
window_pid=
display_pid=
cleanup() {
  [ -n "$window_pid" ] && kill "$window_pid" 2>/dev/null
  [ -n "$display_pid" ] && kill "$display_pid" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$folder"
}
trap cleanup EXIT

exec 3>"$folder/display"
Xvfb -displayfd 3 -screen 0 1600x900x24 >/dev/null 2>&1 &
display_pid=$!
for _ in $(seq 100); do [ -s "$folder/display" ] && break; sleep 0.1; done
[ -s "$folder/display" ] || { echo "skipped: Xvfb does not start"; tally 0 0 1; exit 77; }
export DISPLAY=:$(cat "$folder/display")
export TILEWALK_STATE_FILE=$state
export XDG_CONFIG_HOME=$folder/config
export XDG_STATE_HOME=$folder/progress
export LIBGL_ALWAYS_SOFTWARE=1

value() { sed -n "s/.*\"$1\":\"\?\([^,\"}]*\).*/\1/p" "$state" 2>/dev/null; }
# expect WHAT KEY VALUE: waits until the state says so.
expect() {
  for _ in $(seq 300); do
    if [ "$(value "$2")" = "$3" ]; then
      passed=$((passed + 1))
      echo "ok: $1"
      return 0
    fi
    sleep 0.1
  done
  failed=$((failed + 1))
  echo "FAILED: $1: $2 is '$(value "$2")', expected '$3'"
}
expect_from() {
  local now
  for _ in $(seq 300); do
    now=$(value "$2")
    if [ -n "$now" ] && [ "$now" -ge "$3" ] && [ "$now" -le "$4" ]; then
      passed=$((passed + 1))
      echo "ok: $1"
      return 0
    fi
    sleep 0.1
  done
  failed=$((failed + 1))
  echo "FAILED: $1: $2 is '$now', expected $3 to $4"
}
start_window() {
  rm -f "$state"
  "$program" "$@" 2>"$folder/errors" &
  window_pid=$!
  for _ in $(seq 100); do [ -s "$state" ] && break; sleep 0.1; done
  [ -s "$state" ] || { echo "FAILED: the window does not open: $(cat "$folder/errors")"; exit 1; }
  window=$(xdotool search --sync --name '^Tilewalk$' | head -n 1)
  xdotool windowfocus "$window" mousemove 700 5
  sleep 0.3
}
stop_window() {
  xdotool key ctrl+q
  for _ in $(seq 50); do kill -0 "$window_pid" 2>/dev/null || break; sleep 0.1; done
  if kill -0 "$window_pid" 2>/dev/null; then
    failed=$((failed + 1))
    echo "FAILED: Ctrl+Q closes the window"
    kill "$window_pid"
  else
    passed=$((passed + 1))
    echo "ok: Ctrl+Q closes the window"
  fi
  wait "$window_pid" 2>/dev/null
  window_pid=
}
# await KEY VALUE: like expect, but not a check of its own.
await() {
  for _ in $(seq 300); do
    [ "$(value "$1")" = "$2" ] && break
    sleep 0.1
  done
  sleep 0.3  # a frame or two, until the text field has the focus
}
# file_dialog CHORD DIALOG PATH: opens it, types the path over the earlier text, and Return.
file_dialog() {
  press "$1"
  await dialog "$2"
  press ctrl+a
  xdotool type --delay 15 "$3"
  sleep 0.2
  press Return
}
# place_of PLACE [ACROSS [DOWN]]: "x y", a point of it in per cent of its width and height; its middle without them.
place_of() {
  awk -v name="$1" -v across="${2:-50}" -v down="${3:-50}" '
    { place = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "", place) }
    place == name { printf "%d %d\n", $1 + ($3 - $1) * across / 100, $2 + ($4 - $2) * down / 100; exit }
  ' "$state.places" 2>/dev/null
}
# move_to and click_on PLACE [ACROSS [DOWN]]: waits until the place exists and does not move.
move_to() {
  local at before=
  for _ in $(seq 100); do
    at=$(place_of "$@")
    [ -n "$at" ] && [ "$at" = "$before" ] && break
    before=$at
    sleep 0.1
  done
  if [ -z "$at" ]; then
    failed=$((failed + 1))
    echo "FAILED: nothing called $1 in the window"
    return 1
  fi
  # shellcheck disable=SC2086  # two words
  xdotool mousemove $at
  sleep 0.15
}
# scroll_to PLACE: turns the wheel over the dialog until all of it is in the window.
scroll_to() {
  local at
  xdotool mousemove 790 600
  for _ in $(seq 60); do
    at=$(place_of "$1" 50 100)
    [ -n "$at" ] && [ "${at#* }" -lt 860 ] && break
    xdotool click 5
    sleep 0.1
  done
}
click_on() { move_to "$@" && xdotool click 1; sleep 0.15; }
press() { for chord in "$@"; do xdotool key "$chord"; sleep 0.12; done; }
# drop FILE…: drops them on the window.
drop() {
  "$drop_files" "$window" "$@" && return
  failed=$((failed + 1))
  echo "FAILED: the window takes no $*"
}
# says WHAT WORDS: waits until the window's message contains them.
says() {
  for _ in $(seq 300); do
    if value message | grep -qF "$2"; then
      passed=$((passed + 1))
      echo "ok: $1"
      return 0
    fi
    sleep 0.1
  done
  failed=$((failed + 1))
  echo "FAILED: $1: the message is '$(value message)', expected '$2'"
}
finish() {
  echo "window: $passed passed, $failed failed, $skipped skipped"
  tally "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}
