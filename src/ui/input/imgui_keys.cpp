#include "ui/input/imgui_keys.h"

#include <imgui_internal.h>

namespace tilewalk {
namespace {

#if IMGUI_VERSION_NUM >= 18700
ImGuiKey native_key(Key key) {
  switch (key) {
    case Key::Space: return ImGuiKey_Space;
    case Key::Left: return ImGuiKey_LeftArrow;
    case Key::Right: return ImGuiKey_RightArrow;
    case Key::Up: return ImGuiKey_UpArrow;
    case Key::Down: return ImGuiKey_DownArrow;
    case Key::PageUp: return ImGuiKey_PageUp;
    case Key::PageDown: return ImGuiKey_PageDown;
    case Key::Home: return ImGuiKey_Home;
    case Key::End: return ImGuiKey_End;
    case Key::Enter: return ImGuiKey_Enter;
    case Key::Escape: return ImGuiKey_Escape;
    case Key::Tab: return ImGuiKey_Tab;
    case Key::F1: return ImGuiKey_F1;
    case Key::F5: return ImGuiKey_F5;
    case Key::F10: return ImGuiKey_F10;
    case Key::F11: return ImGuiKey_F11;
    case Key::Comma: return ImGuiKey_Comma;
    case Key::Period: return ImGuiKey_Period;
    case Key::Slash: return ImGuiKey_Slash;
    case Key::Plus: return ImGuiKey_Equal;
    case Key::Minus: return ImGuiKey_Minus;
    case Key::Zero: return ImGuiKey_0;
    case Key::None: return ImGuiKey_None;
    default: return ImGuiKey(int(ImGuiKey_A) + (int(key) - int(Key::A)));
  }
}
ImGuiKey key_numbered(int glfw_key) {
  constexpr ImGuiKey kFrom256[] = {ImGuiKey_Escape,    ImGuiKey_Enter,   ImGuiKey_Tab,        ImGuiKey_Backspace,
                                   ImGuiKey_Insert,    ImGuiKey_Delete,  ImGuiKey_RightArrow, ImGuiKey_LeftArrow,
                                   ImGuiKey_DownArrow, ImGuiKey_UpArrow, ImGuiKey_PageUp,     ImGuiKey_PageDown,
                                   ImGuiKey_Home,      ImGuiKey_End};
  const auto among = [glfw_key](int first, int last) { return glfw_key >= first && glfw_key <= last; };
  if (among('A', 'Z')) return ImGuiKey(int(ImGuiKey_A) + glfw_key - 'A');
  if (among('0', '9')) return ImGuiKey(int(ImGuiKey_0) + glfw_key - '0');
  if (among(256, 269)) return kFrom256[glfw_key - 256];
  if (among(290, 301)) return ImGuiKey(int(ImGuiKey_F1) + glfw_key - 290);
  if (among(320, 329)) return ImGuiKey(int(ImGuiKey_Keypad0) + glfw_key - 320);
  switch (glfw_key) {
    case 32: return ImGuiKey_Space;
    case 44: return ImGuiKey_Comma;
    case 45: return ImGuiKey_Minus;
    case 46: return ImGuiKey_Period;
    case 47: return ImGuiKey_Slash;
    case 61: return ImGuiKey_Equal;
    case 333: return ImGuiKey_KeypadSubtract;
    case 334: return ImGuiKey_KeypadAdd;
    case 335: return ImGuiKey_KeypadEnter;
    default: return ImGuiKey_None;
  }
}
#else
// Before 1.87 keys have the numbers of the window library, GLFW.
int native_key(Key key) {
  switch (key) {
    case Key::Space: return 32;
    case Key::Left: return 263;
    case Key::Right: return 262;
    case Key::Up: return 265;
    case Key::Down: return 264;
    case Key::PageUp: return 266;
    case Key::PageDown: return 267;
    case Key::Home: return 268;
    case Key::End: return 269;
    case Key::Enter: return 257;
    case Key::Escape: return 256;
    case Key::Tab: return 258;
    case Key::F1: return 290;
    case Key::F5: return 294;
    case Key::F10: return 299;
    case Key::F11: return 300;
    case Key::Comma: return 44;
    case Key::Period: return 46;
    case Key::Slash: return 47;
    case Key::Plus: return 61;
    case Key::Minus: return 45;
    case Key::Zero: return 48;
    case Key::None: return 0;
    default: return 65 + (int(key) - int(Key::A));
  }
}
#endif

}  // namespace

bool key_pressed(Key key) {
  if (key == Key::None) return false;
#if IMGUI_VERSION_NUM >= 18700
  if (key == Key::Plus) return ImGui::IsKeyPressed(ImGuiKey_Equal) || ImGui::IsKeyPressed(ImGuiKey_KeypadAdd);
  if (key == Key::Minus) return ImGui::IsKeyPressed(ImGuiKey_Minus) || ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract);
#else
  if (key == Key::Plus) return ImGui::IsKeyPressed(61) || ImGui::IsKeyPressed(334);
  if (key == Key::Minus) return ImGui::IsKeyPressed(45) || ImGui::IsKeyPressed(333);
#endif
  return ImGui::IsKeyPressed(native_key(key));
}

bool enter_pressed() { return key_pressed(Key::Enter) && !ImGui::GetIO().KeyCtrl; }

void map_keys() {
#if IMGUI_VERSION_NUM < 18700
  // GLFW's numbers, as everywhere in this file.
  constexpr int kNumbers[][2] = {
      {ImGuiKey_Tab, 258},       {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262}, {ImGuiKey_UpArrow, 265},
      {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266},    {ImGuiKey_PageDown, 267},   {ImGuiKey_Home, 268},
      {ImGuiKey_End, 269},       {ImGuiKey_Insert, 260},    {ImGuiKey_Delete, 261},     {ImGuiKey_Backspace, 259},
      {ImGuiKey_Space, 32},      {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},     {ImGuiKey_KeyPadEnter, 335},
      {ImGuiKey_A, 65},          {ImGuiKey_C, 67},          {ImGuiKey_V, 86},           {ImGuiKey_X, 88},
      {ImGuiKey_Y, 89},          {ImGuiKey_Z, 90}};
  for (const auto& [key, number] : kNumbers) ImGui::GetIO().KeyMap[key] = number;
#endif
}

bool loses_quick_taps() { return IMGUI_VERSION_NUM < 18700; }

void play_tap(int glfw_key, bool ctrl, bool shift, bool down) {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  io.KeysDown[glfw_key] = down;
  io.KeyCtrl = down ? ctrl : io.KeysDown[341] || io.KeysDown[345];
  io.KeyShift = down ? shift : io.KeysDown[340] || io.KeysDown[344];
#else
  (void)glfw_key, (void)ctrl, (void)shift, (void)down;
#endif
}

bool events_to_come() {
#if IMGUI_VERSION_NUM < 18700
  return false;
#else
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#endif
}

void inject_key(Key key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(native_key(key), down);
#else
  ImGui::GetIO().KeysDown[native_key(key)] = down;
#endif
}

void inject_modifiers(bool ctrl, bool shift) {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, shift);
#elif IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_ModShift, shift);
#else
  ImGui::GetIO().KeyCtrl = ctrl;
  ImGui::GetIO().KeyShift = shift;
#endif
}

void inject_text(const char* utf8) { ImGui::GetIO().AddInputCharactersUTF8(utf8); }

void inject_mouse(float x, float y, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(x, y);
  ImGui::GetIO().AddMouseButtonEvent(0, down);
#else
  ImGui::GetIO().MousePos = ImVec2(x, y);
  ImGui::GetIO().MouseDown[0] = down;
#endif
}

void inject_wheel(float notches, float sideways) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(sideways, notches);
#else
  ImGui::GetIO().MouseWheelH += sideways;
  ImGui::GetIO().MouseWheel += notches;
#endif
}

void inject_numbered_key(int glfw_key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  if (const ImGuiKey key = key_numbered(glfw_key); key != ImGuiKey_None) ImGui::GetIO().AddKeyEvent(key, down);
#else
  if (glfw_key > 0 && glfw_key < 512) ImGui::GetIO().KeysDown[glfw_key] = down;
#endif
}

void inject_pointer(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(x, y);
#else
  ImGui::GetIO().MousePos = ImVec2(x, y);
#endif
}

void inject_button(int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
  ImGui::GetIO().MouseDown[button] = down;
#endif
}

}  // namespace tilewalk
