// Where distributions put the fonts that the window and print-outs are set in. Any may be missing.
#pragma once

namespace tilewalk {

inline constexpr const char* kInter = "/usr/share/fonts/opentype/inter/Inter-";  // and "Bold.otf"
inline constexpr const char* kInterTtf = "/usr/share/fonts/truetype/inter/Inter-";
inline constexpr const char* kMono = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-";
inline constexpr const char* kDejaVu = "/usr/share/fonts/truetype/dejavu/";

}  // namespace tilewalk
