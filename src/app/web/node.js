// Runs before the program under Node. Its files are the machine's, its environment is the shell's, and its folder,
// which the system cannot report, is found from this script.
if (typeof process == 'object') {
  globalThis.fetch = undefined;  // an Emscripten older than Node's own fetch would ask it for a file
  Module['preRun'] = () => {
    Object.assign(ENV, process.env);
    const fs = require('fs'), path = require('path');
    for (let folder = __dirname; !ENV.TILEWALK_ROOT; folder = path.dirname(folder)) {
      if (fs.existsSync(path.join(folder, 'assets', 'presets'))) ENV.TILEWALK_ROOT = folder;
      if (folder == path.dirname(folder)) break;
    }
  };
  // Emscripten treats the three streams as a terminal's, whatever they are.
  Module['onRuntimeInitialized'] = () => {
    for (const number of [0, 1, 2]) FS.streams[number].tty = require('tty').isatty(number);
  };
}
