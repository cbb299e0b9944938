// Keys and pointers in every version of Dear ImGui (1.86 … 1.92): what was pressed, and events that a window or a test
// sends.
#pragma once

#include <imgui.h>

#include "session/command/command_table.h"

namespace tilewalk {

bool key_pressed(Key key);  // this frame, repeats included
bool enter_pressed();       // without Ctrl
void map_keys();  // before 1.87 a context without a window backend has no key map; call once after creating the context
// Before 1.87 a key pressed and released between two frames is lost. A window queues such taps and plays one a frame.
bool loses_quick_taps();
void play_tap(int glfw_key, bool ctrl, bool shift, bool down);
bool events_to_come();                // ImGui has queued input for later frames
void inject_key(Key key, bool down);  // does what a window backend does; for tests
void inject_modifiers(bool ctrl, bool shift);
void inject_text(const char* utf8);
void inject_mouse(float x, float y, bool down);
void inject_wheel(float notches, float sideways = 0);
void inject_numbered_key(int glfw_key, bool down);
void inject_pointer(float x, float y);
void inject_button(int button, bool down);

}  // namespace tilewalk
