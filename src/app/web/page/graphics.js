// The program's graphics. A browser answers a query of graphics state only when all drawing is finished. Dear ImGui
// queries it in every frame, so the last settings are stored here.
'use strict';

// Returns a function that clears the stored state: a new context has none.
function keep_graphics_state(gl) {
  const kept = new Map(), ask = gl.getParameter.bind(gl);
  const also = (name, keep) => {
    const set = gl[name].bind(gl);
    gl[name] = (...values) => (keep(...values), set(...values));
  };
  const equation = (rgb, alpha = rgb) => kept.set(gl.BLEND_EQUATION_RGB, rgb).set(gl.BLEND_EQUATION_ALPHA, alpha);
  const factors = (from, to, from_alpha = from, to_alpha = to) =>
    kept.set(gl.BLEND_SRC_RGB, from).set(gl.BLEND_DST_RGB, to).set(gl.BLEND_SRC_ALPHA, from_alpha)
      .set(gl.BLEND_DST_ALPHA, to_alpha);
  also('viewport', (...box) => kept.set(gl.VIEWPORT, box));
  also('scissor', (...box) => kept.set(gl.SCISSOR_BOX, box));
  for (const name of ['blendEquation', 'blendEquationSeparate']) also(name, equation);
  for (const name of ['blendFunc', 'blendFuncSeparate']) also(name, factors);
  gl.getParameter = name => kept.get(name) ?? ask(name);
  return () => kept.clear();
}

// Forgets the objects of a lost context: WebGL would report an error for each that the program deletes in the new one.
function forget_graphics_objects() {
  for (const table of [GL.buffers, GL.framebuffers, GL.programs, GL.shaders, GL.textures, GL.vaos]) table.fill(null);
}
