#include "app/window/gui.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include "app/window/imgui_backends.h"
#include "app/jobs/thread_crew.h"
#include "kernels/kernel_api.h"
#include "session/resources.h"
#include "measured/recorded_race.h"

namespace tilewalk {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::array<float, 3> parts(ImU32 c) {
  return {float(c & 255) / 255, float((c >> 8) & 255) / 255, float((c >> 16) & 255) / 255};
}

}  // namespace

Result<std::unique_ptr<Gui>> Gui::create(const Opening& opening, const GuiOptions& options) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  SessionSetup setup;
  setup.crew = make_thread_crew();
  setup.load_inputs = load_inputs;
  setup.load_race = [folder = *root] { return load_shipped_race(folder); };
  setup.load_chip = [root = *root] { return load_chip_timelines(root + "/" + kChipTimelineFile); };
  if (auto presets = load_presets(*root)) setup.presets = std::move(*presets);
  std::unique_ptr<Gui> gui(new Gui);
  gui->options_ = options;
  gui->root_ = *root;
  gui->session_ = Session::of(opening, std::move(setup));
  std::map<ScheduleKind, KernelText> kernels;
  for (const Rung& rung : kernel_registry())
    kernels[rung.schedule] = parse_kernel(rung.file, text_of_file(*root + "/kernels/" + rung.file));
  gui->views_ = std::make_unique<ViewBuilder>(std::move(kernels));
  if (auto traffic = load_hardware_traffic(*root + "/assets/measurements/traffic_h200.csv"))
    gui->views_->set_hardware(std::move(*traffic));

  ImGui::CreateContext();
  map_keys();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  if (!ImGui_ImplOpenGL3_Init("#version 330 core"))
    return Issue{"OpenGL", "", "3.3 could not be set up", "Install Mesa's drivers (libgl1-mesa-dri)"};
  gui->renderer_ready_ = true;
  auto heat_map = HeatMap::create(*root + "/shaders");
  if (!heat_map) return heat_map.issues();
  gui->heat_map_ = std::move(*heat_map);
  gui->host_.heat_map = [self = gui.get()](const TileGridModel& model, int width, int height, const Palette& c) {
    HeatMapColours colours;
    colours.panel = parts(c.panel), colours.pending = parts(mix(c.panel, c.masked, 0.6f)),
    colours.pending_line = parts(c.cell_line);
    colours.masked = parts(c.masked), colours.hatch = parts(c.hatch), colours.hatch_fill = parts(c.hatch_fill);
    colours.dim = c.dark ? 0.3f : 0.25f;
    colours.hatch_pixels = std::round(8 * self->theme_.s);
    return texture_id(self->heat_map_->draw(model, width, height, colours));
  };
  return gui;
}

Gui::~Gui() {
  heat_map_.reset();
  if (renderer_ready_) ImGui_ImplOpenGL3_Shutdown();
  if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
}

void Gui::match_theme(int width, int height) {
  const ViewSettings& view = session_->document().view;
  const float ui_scale = options_.ui_scale > 0 ? options_.ui_scale : automatic_scale(width, height);
  const float scale = std::round(ui_scale * float(view.text_scale) * 20) / 20;
  const bool new_fonts = !themed_ || scale != theme_.s, new_palette = !themed_ || view.dark != theme_.colours.dark;
  if (new_palette) theme_.colours = palette_of(view.dark);
  if (new_fonts) {
    load_fonts(theme_, scale);
    upload_fonts();
  }
  if (new_fonts || new_palette) {
    apply_style(theme_);
    painter_.repaint_all();
  }
  themed_ = true;
  layout_ = compute_layout(float(width), float(height), ui_scale, float(view.text_scale), ui_.splits);
}

bool Gui::frame(int width, int height, double now) {
  session_->dispatch(Tick{now});
  match_theme(width, height);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width), float(height));
  if (io.DeltaTime <= 0) io.DeltaTime = 1.0f / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  Commands commands;
  const Views& views = views_->build(*session_, room_of(layout_, theme_));
  draw_ui({*session_, views, theme_, layout_, host_, ui_, commands, now});
  ImGui::Render();
  const bool painted = painter_.paint(*ImGui::GetDrawData(), width, height, theme_.colours.background);
  for (const Command& c : commands) session_->dispatch(c);
  commands_last_frame_ = commands.size();
  return painted;
}

CheckRequest Gui::check_request(bool live) const {
  return {session_->problem(), session_->files(), session_->document().edits, session_->problem_revision(), live};
}

}  // namespace tilewalk
