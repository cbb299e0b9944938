// With input/imgui_keys, the only file that depends on Dear ImGui's version (1.86 … 1.92). Whatever changed between
// versions has one name here.
#pragma once

#include <imgui.h>

// From 1.92 on, renderers make glyphs on demand, and there is no font texture to upload.
#define TILEWALK_IMGUI_UPLOADS_FONTS (IMGUI_VERSION_NUM < 19200)

#include <string>
#include <string_view>

#include "ui/input/imgui_keys.h"

namespace tilewalk {

struct Font {  // a font and the pixel sizes that it was loaded for
  ImFont* font = nullptr;
  float size = 0;  // of a line, in Dear ImGui's measure
  float em = 0;
};

void enable_keyboard_navigation(bool on);
// These three move the focus of keyboard navigation, which shows a ring.
void focus_item();            // after an item: it comes there
void focus_window();          // within a window: to its first item
void begin_no_first_focus();  // the items until the end get no focus by focus_window, where there is another
void end_no_first_focus();
void tab_to_item(int step);       // to the item below or above; ImGui's own Tab only reaches text fields
unsigned item_focused_by_keys();  // its id, while keyboard navigation shows its ring; else 0
bool enter_clicks();              // Enter was pressed: ImGui itself clicks only by Space
bool text_has_caret();            // a text field has the caret
void drop_caret();                // it has none any more
bool has_glyph(const Font& font, unsigned codepoint);
bool has_glyphs(const Font& font, std::string_view text);  // of all its characters
float capital_height(const Font& font);                    // in pixels
// Call before the input_text that gets the caret; it has the caret in the next frame.
void focus_text(const char* label);
bool input_text(const char* label, std::string& text, ImGuiInputTextFlags flags = 0);  // true as ImGui::InputText is
// A field of many lines. Tab writes two spaces, a new line is indented as the one before. caret: its byte, or −1.
bool input_lines(const char* label, std::string& text, const ImVec2& size, int& caret);
void push_font(const Font& font);
void pop_font();
// A child window between whose items and its parent's the arrows of keyboard navigation go. Ends by ImGui::EndChild().
void begin_child_of_navigation(const char* id, const ImVec2& size, bool scrolls_sideways = false);
// A child window that looks like a window; ends by ImGui::EndChild().
void begin_panel_in_page(const char* id, const ImVec2& size, ImGuiWindowFlags flags);
// At the end of a window: contents that are higher than its room by at most that many pixels end with it, so that no
// scroll bar appears.
void drop_small_overflow(float most);
void begin_disabled(bool disabled);
void end_disabled();
ImTextureID texture_id(unsigned gl_name);
inline ImTextureID no_texture() { return texture_id(0); }
void draw_image(ImDrawList*, ImTextureID, const ImVec2& min, const ImVec2& max, const ImVec2& uv0, const ImVec2& uv1);
ImFont* add_font(ImFontAtlas&, const char* path, float size, const ImWchar* ranges,
                 bool merge);  // nullptr if unreadable
ImFont* add_default_font(ImFontAtlas&, float size);
void end_broken_frame();         // after an exception: drops the frame's windows and colours; otherwise no effect
void build_atlas(ImFontAtlas&);  // allows frames without a renderer
unsigned long long texture_key(const ImDrawCmd&);
int list_count(const ImDrawData&);
ImDrawList* list_at(const ImDrawData&, int index);

}  // namespace tilewalk
