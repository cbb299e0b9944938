// Recordings of GPUs. Their list is fetched before the program starts, a recording when a check is about to read it. A
// failed fetch stops nothing; the program gets the reason.
'use strict';

const RECORDINGS = '/tilewalk/assets/recordings/';
const LIST_SECONDS = 8, RECORDING_SECONDS = 60;

async function fetched(address, seconds) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), seconds * 1000);
  try {
    const answer = await fetch(address, {signal: control.signal});
    if (!answer.ok) throw new Error(`the server answered ${answer.status} ${answer.statusText}`.trim());
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    throw control.signal.aborted ? new Error(`no answer came within ${seconds} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

class Recordings {
  #no_list = '';        // why there is no list
  #coming = new Set();  // paths
  #failed = new Map();  // path: why it could not be fetched

  // Creates each recording of the list as an empty file for the program.
  async furnish() {
    FS.mkdirTree(RECORDINGS);
    try {
      const names = new TextDecoder().decode(await fetched('recordings/index.txt', LIST_SECONDS)).split(/\s+/)
        .filter(name => /^[\w.-]+\.safetensors$/.test(name));
      if (names.length == 0) throw new Error('it names none');
      for (const name of names) FS.writeFile(RECORDINGS + name, '');
    } catch (error) {
      this.#no_list = `The list of recordings could not be fetched: ${words_of_error(error)}.`;
      notices.say(`${this.#no_list} So nothing is checked against a GPU here.`, true);
    }
  }

  // True: the file is there, or cannot be fetched. False: it is being fetched, and `arrived` is called at the end.
  brings(path, arrived) {
    if (!path || this.#failed.has(path)) return true;
    const {exists, object} = FS.analyzePath(path);
    if (!exists || object.usedBytes > 0) return true;
    if (!this.#coming.has(path)) {
      this.#coming.add(path);
      this.#fetch(path).catch(error => this.#failed.set(path, words_of_error(error)))
        .finally(() => (this.#coming.delete(path), arrived()));
    }
    return false;
  }

  async #fetch(path) {
    const bytes = await fetched(path.replace('/tilewalk/assets/', ''), RECORDING_SECONDS);
    if (bytes.length == 0) throw new Error('it is empty');
    FS.writeFile(path, bytes);
  }

  // Why there is no file at this path; without a path: why none was found. Empty: no error. The next check of it
  // fetches it again.
  why_missing(path) {
    if (!path) return this.#no_list;
    const why = this.#failed.get(path);
    this.#failed.delete(path);
    return why ? `The recording of this problem could not be fetched: ${why}.` : '';
  }
}
