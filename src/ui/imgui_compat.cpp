#include "ui/imgui_compat.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

constexpr std::streamoff kMostFontBytes = 64 << 20;

}  // namespace

void enable_keyboard_navigation(bool on) {
  ImGuiIO& io = ImGui::GetIO();
  if (on)
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

namespace {

void show_ring() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::GetCurrentContext()->NavCursorVisible = true;
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = false;
#endif
}

}  // namespace

void focus_item() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
  g.NavInitRequest = false;  // a new window would otherwise focus its first item
#if IMGUI_VERSION_NUM >= 18950
  g.NavInitResult.ID = 0;
#else
  g.NavInitResultId = 0;
#endif
  show_ring();
}

void focus_window() {
  ImGui::FocusWindow(ImGui::GetCurrentWindow());
  ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
  show_ring();
}

void begin_no_first_focus() { ImGui::PushItemFlag(ImGuiItemFlags_NoNavDefaultFocus, true); }
void end_no_first_focus() { ImGui::PopItemFlag(); }

void tab_to_item(int step) {
#if IMGUI_VERSION_NUM < 18900
  const ImGuiDir way = step > 0 ? ImGuiDir_Down : ImGuiDir_Up;
  ImGui::NavMoveRequestSubmit(way, way, ImGuiNavMoveFlags_LoopY, ImGuiScrollFlags_KeepVisibleEdgeY);
#else
  (void)step;
#endif
}

unsigned item_focused_by_keys() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM >= 19140
  return g.NavHighlightItemUnderNav ? g.NavId : 0;
#else
  return g.NavDisableMouseHover && !g.NavDisableHighlight ? g.NavId : 0;
#endif
}

bool enter_clicks() { return IMGUI_VERSION_NUM < 18900 && enter_pressed(); }

bool text_has_caret() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.ActiveId != 0 && g.ActiveId == g.InputTextState.ID;
}

void drop_caret() {
  ImGui::ClearActiveID();
  ImGui::NavMoveRequestCancel();  // by Tab, to the next text field
}

bool has_glyph(const Font& font, unsigned codepoint) {
#if IMGUI_VERSION_NUM >= 19200
  return font.font && font.font->IsGlyphInFont(ImWchar(codepoint));
#else
  return font.font && font.font->FindGlyphNoFallback(ImWchar(codepoint)) != nullptr;
#endif
}

bool has_glyphs(const Font& font, std::string_view text) {
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned codepoint = 0;
    at += std::max(1, ImTextCharFromUtf8(&codepoint, at, end));
    if (!has_glyph(font, codepoint)) return false;
  }
  return true;
}

float capital_height(const Font& font) {
#if IMGUI_VERSION_NUM >= 19200
  const ImFontGlyph* glyph = font.font->GetFontBaked(font.size)->FindGlyph('H');
  return glyph->Y1 - glyph->Y0;
#else
  const ImFontGlyph* glyph = font.font->FindGlyph('H');
  return (glyph->Y1 - glyph->Y0) * font.size / font.font->FontSize;
#endif
}

// From 1.89 on the focus moves one frame after the request, and a request in every frame never succeeds.
void focus_text(const char* label) {
#if IMGUI_VERSION_NUM >= 18900
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.NavNextActivateId = ImGui::GetID(label);
  g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#else
  (void)label;
  ImGui::SetKeyboardFocusHere();
#endif
}

bool input_text(const char* label, std::string& text, ImGuiInputTextFlags flags) {
  const auto grow = [](ImGuiInputTextCallbackData* data) {
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
      std::string& held = *static_cast<std::string*>(data->UserData);
      held.resize(std::size_t(data->BufTextLen));
      data->Buf = held.data();
    }
    return 0;
  };
  const bool edited = ImGui::InputText(label, text.data(), text.capacity() + 1,
                                       flags | ImGuiInputTextFlags_CallbackResize, grow, &text);
  const bool by_enter = flags & ImGuiInputTextFlags_EnterReturnsTrue;
  return edited && !(by_enter && ImGui::GetIO().KeyCtrl);  // a chord with Ctrl belongs to the commands
}

namespace {

struct Lines {
  std::string& text;
  int& caret;
  int length = 0;  // before this frame
};

void write_spaces(ImGuiInputTextCallbackData& data, int length_before) {
  for (int at = 0; at < data.BufTextLen; ++at)
    if (data.Buf[at] == '\t') {
      data.DeleteChars(at, 1);
      data.InsertChars(at, "  ");
    }
  const int at = data.CursorPos;
  if (data.BufTextLen != length_before + 1 || at < 1 || data.Buf[at - 1] != '\n') return;
  int begin = at - 1;
  while (begin > 0 && data.Buf[begin - 1] != '\n') --begin;
  int end = begin;
  while (data.Buf[end] == ' ') ++end;
  const std::string indent(std::size_t(end - begin), ' ');
  if (!indent.empty()) data.InsertChars(at, indent.c_str());
}

int edit_lines(ImGuiInputTextCallbackData* data) {
  Lines& lines = *static_cast<Lines*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    lines.text.resize(std::size_t(data->BufTextLen));
    data->Buf = lines.text.data();
  } else {
    write_spaces(*data, lines.length);
    lines.caret = data->CursorPos;
  }
  return 0;
}

}  // namespace

bool input_lines(const char* label, std::string& text, const ImVec2& size, int& caret) {
  Lines lines{text, caret, int(text.size())};
  return ImGui::InputTextMultiline(
      label, text.data(), text.capacity() + 1, size,
      ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_AllowTabInput,
      edit_lines, &lines);
}

void push_font(const Font& font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font.font, font.size);
#else
  ImGui::PushFont(font.font);
#endif
}

void pop_font() { ImGui::PopFont(); }
void begin_child_of_navigation(const char* id, const ImVec2& size, bool scrolls_sideways) {
  const ImGuiWindowFlags flags = scrolls_sideways ? ImGuiWindowFlags_HorizontalScrollbar : 0;
#if IMGUI_VERSION_NUM >= 19090
  ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, flags);
#else
  ImGui::BeginChild(id, size, false, flags | ImGuiWindowFlags_NavFlattened);
#endif
}

void begin_panel_in_page(const char* id, const ImVec2& size, ImGuiWindowFlags flags) {
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, style.Colors[ImGuiCol_WindowBg]);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, style.WindowRounding);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, style.WindowBorderSize);
  ImGui::BeginChild(id, size, true, flags);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

void drop_small_overflow(float most) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const float end = window.DC.CursorStartPos.y + window.SizeFull.y - 2 * window.WindowPadding.y;
  if (window.DC.CursorMaxPos.y <= end + most) window.DC.CursorMaxPos.y = std::min(window.DC.CursorMaxPos.y, end);
}

void begin_disabled(bool disabled) { ImGui::BeginDisabled(disabled); }
void end_disabled() { ImGui::EndDisabled(); }

ImTextureID texture_id(unsigned gl_name) { return (ImTextureID)(std::intptr_t)gl_name; }

void draw_image(ImDrawList* list, ImTextureID id, const ImVec2& min, const ImVec2& max, const ImVec2& uv0,
                const ImVec2& uv1) {
  if (id != no_texture()) list->AddImage(id, min, max, uv0, uv1);
}

namespace {

// Each file once: a merged font serves several sizes. Empty if unreadable.
std::vector<char>& font_bytes(const char* path) {
  static std::map<std::string, std::vector<char>> files;
  std::vector<char>& bytes = files[path];
  if (!bytes.empty()) return bytes;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? std::streamoff(file.tellg()) : -1;
  if (size <= 0 || size > kMostFontBytes) return bytes;
  bytes.resize(std::size_t(size));
  if (!file.seekg(0).read(bytes.data(), size)) bytes.clear();
  return bytes;
}

}  // namespace

ImFont* add_font(ImFontAtlas& atlas, const char* path, float size, const ImWchar* ranges, bool merge) {
  std::vector<char>& bytes = font_bytes(path);
  if (bytes.empty()) return nullptr;
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = size < 20 ? 2 : 1;
  config.OversampleV = 1;
  config.PixelSnapH = false;
#if IMGUI_VERSION_NUM >= 19200
  config.FontDataOwnedByAtlas = false;
  return atlas.AddFontFromMemoryTTF(bytes.data(), int(bytes.size()), size, &config, ranges);
#else  // these copy bytes that they do not own, so the ownership is taken back afterwards
  ImFont* const font = atlas.AddFontFromMemoryTTF(bytes.data(), int(bytes.size()), size, &config, ranges);
  atlas.ConfigData.back().FontDataOwnedByAtlas = false;
  return font;
#endif
}

ImFont* add_default_font(ImFontAtlas& atlas, float size) {
  ImFontConfig config;
  config.SizePixels = size;
  return atlas.AddFontDefault(&config);
}

void end_broken_frame() {
  if (!GImGui->WithinFrameScope) return;
#if IMGUI_VERSION_NUM < 19150  // later versions do this in EndFrame
  ImGui::ErrorCheckEndFrameRecover(nullptr);
#endif
  ImGui::EndFrame();
}

void build_atlas(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  (void)atlas;
#else
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
}

unsigned long long texture_key(const ImDrawCmd& command) {
  return (unsigned long long)(std::uintptr_t)command.GetTexID();
}

int list_count(const ImDrawData& data) { return data.CmdListsCount; }
ImDrawList* list_at(const ImDrawData& data, int index) { return data.CmdLists[index]; }

}  // namespace tilewalk
