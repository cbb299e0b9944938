#include "app/window/screen.h"

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include "app/jobs/thread_pool.h"
#include "app/window/imgui_backends.h"
#include "kernels/host/kernel_api.h"
#include "kernels/race/measure_machine.h"
#include "measured/recorded_race.h"
#include "render/gl.h"
#include "session/resources.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/present/film_title.h"
#include "ui/present_layout.h"
#include "view/pages.h"
#include "view/present/question.h"
#include "view/sentence/sentence.h"

namespace tilewalk {
namespace {

constexpr float kPostSide = 900;  // pixels of a square picture at scale 1

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::array<float, 3> parts(ImU32 c) {
  return {float(c & 255) / 255, float((c >> 8) & 255) / 255, float((c >> 16) & 255) / 255};
}

SessionSetup setup_with(const std::string& root, Opening& opening) {
  SessionSetup setup;
  setup.workers = make_thread_pool();
  setup.load_inputs = load_inputs;
  setup.reading_time = reading_seconds;
  setup.has_question = [](const Schedule& schedule, const State& state) {
    return question_at(schedule, state).has_value();
  };
  read_from(root, setup);
  setup.presets = take_presets(opening, root);
  return setup;
}

std::unique_ptr<ViewBuilder> view_builder_with(const std::string& root) {
  std::map<ScheduleKind, KernelText> kernels;
  for (const Rung& rung : kernel_registry())
    kernels[rung.schedule] = parse_kernel(rung.file, text_of_file(root + "/kernels/" + rung.file));
  auto builder = std::make_unique<ViewBuilder>(std::move(kernels));
  if (auto traffic = load_hardware_traffic(root + "/assets/measurements/traffic_h200.csv"))
    builder->set_hardware(std::move(*traffic));
  return builder;
}

}  // namespace

Result<std::unique_ptr<Screen>> Screen::create(Opening opening, float ui_scale, const Settings& settings,
                                               KnownLessons known, MeasuredMachine machine) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  std::unique_ptr<Screen> screen(new Screen);
  screen->ui_scale_ = ui_scale;
  screen->root_ = *root;
  SessionSetup setup = setup_with(*root, opening);
  setup.settings = settings;
  setup.load_lessons = std::move(known.load);
  setup.progress = std::move(known.progress);
  setup.of<LabController>().progress = std::move(known.lab);
  setup.of<RooflineController>().machine = std::move(machine);
  setup.of<RooflineController>().no_measuring = no_measuring_reason();
  screen->session_ = Session::of(std::move(opening), std::move(setup));
  screen->view_builder_ = view_builder_with(*root);

  ImGui::CreateContext();
  map_keys();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  if (const Result<Done> done = screen->set_up_graphics(); !done) return done.issues();
  screen->host_.heat_map = [self = screen.get()](const ScoresModel& model, int width, int height, const Palette& c) {
    return self->picture_of(model, width, height, c);
  };
  return screen;
}

Result<Done> Screen::set_up_graphics() {
  heat_map_.reset();
  painter_ = std::make_unique<FramePainter>();
  if (renderer_ready_) ImGui_ImplOpenGL3_Shutdown();
  renderer_ready_ = has_fonts_ = false;
  if (!ImGui_ImplOpenGL3_Init(kShaderVersion))
    return Issue{"OpenGL", "", "3.3 could not be set up", "Install Mesa's drivers (libgl1-mesa-dri)"};
  renderer_ready_ = true;
  auto heat_map = HeatMap::create(root_ + "/shaders");
  if (!heat_map) return heat_map.issues();
  heat_map_ = std::move(*heat_map);
  return Done{};
}

Screen::~Screen() {
  heat_map_.reset();
  if (renderer_ready_) ImGui_ImplOpenGL3_Shutdown();
  if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
}

ImTextureID Screen::picture_of(const ScoresModel& model, int width, int height, const Palette& c) {
  HeatMapColours colours;
  colours.panel = parts(c.panel), colours.pending = parts(mix(c.panel, c.masked, 0.6f));
  const double tile = std::min(model.texture.tile_px_w, model.texture.tile_px_h);
  colours.pending_line = parts(tile > 12 ? c.cell_line : mix(c.panel, c.cell_line, 0.45f));
  colours.masked = parts(c.masked), colours.hatch = parts(c.hatch), colours.hatch_fill = parts(c.hatch_fill);
  colours.dim = model.gone ? 0.86f : c.dark ? 0.3f : 0.25f;  // what no memory stores is nearly the panel
  colours.hatch_pixels = std::round(8 * theme_.s);
  return texture_id(heat_map_->draw(model, width, height, colours));
}

bool Screen::frame(int width, int height, double now) {
  input(width, height);
  dispatch();
  prepare(now);
  draw();
  return present();
}

void Screen::input(int width, int height) {
  width_ = width, height_ = height;
  begin_frame();
  for (Command& c : read_keys(*session_, ui_)) commands_.push_back(std::move(c));
}

void Screen::dispatch() {
  for (const Command& c : std::exchange(commands_, {})) session_->dispatch(c);
}

void Screen::prepare(double now) {
  now_ = now;
  session_->dispatch(Tick{now});
  if (wanted_scale() != theme_.s) {  // a Command changed the text size; glyphs must not change within a frame
    ImGui::EndFrame();
    begin_frame();
  }
  const ViewSettings& view = session_->document().view;
  if (view.dark != theme_.colours.dark) {
    theme_.colours = palette_of(view.dark);
    apply_style(theme_);
    painter_->repaint_all();
  }
  layout_ = post_ ? post_layout(float(width_), float(height_), ui_scale(), text_scale())
                  : compute_layout(float(width_), float(height_), ui_scale(), text_scale(), ui_.splits,
                                   lesson_panel_room(*session_));
  views_ = &view_builder_->build(*session_, room_of(layout_, theme_, ui_.dragging_border));
}

void Screen::draw() {
  draw_ui({*session_, *views_, theme_, layout_, host_, ui_, commands_, now_});
  ImGui::Render();
}

bool Screen::present() { return painter_->paint(*ImGui::GetDrawData(), width_, height_, theme_.colours.background); }

void Screen::set_drop_position(float x, float y) {
  const std::optional<Message>& message = session_->message();
  ui_.dropped = {x, y, message && message->error ? message->serial : 0};
}

std::optional<double> Screen::seconds_to_tooltip(double now) const {
  if (!ui_.tooltip.due) return std::nullopt;
  return std::max(0.0, *ui_.tooltip.due - now);
}

void Screen::set_film_title(const std::string& title) { ui_.of<FilmTitle>().text = title; }

float Screen::ui_scale() const {
  if (ui_scale_ > 0) return ui_scale_;
  if (post_) return std::max(kLeastScale, float(std::min(width_, height_)) / kPostSide);
  return pixel_ratio_ * automatic_scale(int(float(width_) / pixel_ratio_), int(float(height_) / pixel_ratio_));
}

float Screen::text_scale() const { return float(text_scale_of(*session_)); }

float Screen::wanted_scale() const {
  if (session_->view().presenting() && !session_->presents_page()) return present_scale(float(width_), float(height_));
  return std::round(ui_scale() * text_scale() * 20) / 20;
}

// Starts Dear ImGui's frame, with fonts of the wanted size.
void Screen::begin_frame() {
  if (!has_fonts_ || wanted_scale() != theme_.s) {
    if (!has_fonts_) theme_.colours = palette_of(session_->document().view.dark);
    load_fonts(theme_, wanted_scale());
    upload_fonts();
    apply_style(theme_);
    painter_->repaint_all();
    has_fonts_ = true;
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width_), float(height_));
  if (io.DeltaTime <= 0) io.DeltaTime = 1.0f / 60;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

}  // namespace tilewalk
