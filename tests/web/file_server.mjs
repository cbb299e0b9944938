// Serves a folder, like any file server, and misbehaves where a test requests it.
import {createReadStream, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm', '.txt': 'text/plain'};

export class FileServer {
  headers = {};         // with every answer
  answers = new Map();  // by path, "/tilewalk.wasm": a status; 'never': no answer; a text: that instead of the file
  asked = [];           // paths
  #unanswered = [];

  static open(folder) {
    const self = new FileServer();
    self.server = createServer((request, answer) => self.#answer(folder, request, answer));
    return new Promise(done => self.server.listen(0, '127.0.0.1', () => {
      self.site = `http://127.0.0.1:${self.server.address().port}/`;
      done(self);
    }));
  }

  #answer(folder, request, answer) {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://page/').pathname));
    this.asked.push(path);
    const odd = this.answers.get(path);
    if (odd == 'never') return void this.#unanswered.push(answer);
    const file = join(folder, path), status = statSync(file, {throwIfNoEntry: false});
    const code = typeof odd == 'number' ? odd : status?.isFile() || odd !== undefined ? 200 : 404;
    answer.writeHead(code, {'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
      'Cache-Control': odd === undefined ? 'no-cache' : 'no-store',
      ...(status && {'Last-Modified': status.mtime.toUTCString()}), ...this.headers});
    if (code != 200 || odd !== undefined) return answer.end(typeof odd == 'string' ? odd : '');
    createReadStream(file).pipe(answer);
  }

  // From now on it serves correctly. A browser may delay the next request for a file until the previous one is over.
  behave() {
    this.answers.clear();
    this.headers = {};
    for (const answer of this.#unanswered.splice(0)) answer.destroy();
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
