// The files that the program stores between visits: each is a text in the browser's storage, under its path. Several
// tabs share that storage. The program reads a file before it changes it, and here that reads the storage, so that a
// tab adds its own changes to what other tabs stored.
'use strict';

const HOME = '/home/web_user/';
const KEPT_FOLDERS = ['.config/tilewalk/', '.local/state/tilewalk/'];
const KEPT_FILE = /^(settings|progress|lab)(\.unread(-\d+)?)?\.toml$/;  // a damaged file is renamed to "unread"
const KEY = 'tilewalk/';
const NO_SPACE = 51, NO_ACCESS = 2;  // ENOSPC and EACCES, as Emscripten numbers them

class Kept {
  why_not = '';  // why the last text was not stored; empty: it was
  #stored = new Map();  // the storage's contents as this tab last saw them, by name

  // Called before the program starts.
  furnish() {
    for (const folder of KEPT_FOLDERS) FS.mkdirTree(HOME + folder);
    this.#read_all();
    const {open, rename} = FS;
    FS.open = (path, ...rest) => {
      if (typeof path == 'string' && this.#is_near(PATH_FS.resolve(path))) this.#read_all();
      return open(path, ...rest);
    };
    FS.rename = (from, to) => {
      const name = this.#name_of(to);
      if (name) this.#store(name, FS.readFile(from, {encoding: 'utf8'}), this.#name_of(from));
      rename(from, to);
    };
  }

  // The path of a stored file below the home folder; empty for other files.
  #name_of(path) {
    const name = PATH_FS.resolve(path).slice(HOME.length), folder = KEPT_FOLDERS.find(each => name.startsWith(each));
    return folder && KEPT_FILE.test(name.slice(folder.length)) ? name : '';
  }
  #is_near(path) { return KEPT_FOLDERS.some(folder => path.startsWith(HOME + folder.slice(0, -1))); }

  // A browser that blocks storage throws at each of these, even at the name `localStorage`.
  #names() {
    try {
      return Object.keys(localStorage).filter(key => key.startsWith(KEY)).map(key => key.slice(KEY.length))
        .filter(name => this.#name_of(HOME + name));
    } catch {
      return null;
    }
  }

  #read_all() {
    const names = this.#names();
    if (!names) return;
    for (const name of new Set([...names, ...this.#stored.keys()])) {
      const text = localStorage.getItem(KEY + name);
      if (text === (this.#stored.get(name) ?? null)) continue;
      if (text === null) {
        this.#stored.delete(name);
        if (FS.analyzePath(HOME + name).exists) FS.unlink(HOME + name);
      } else {
        this.#stored.set(name, text);
        FS.writeFile(HOME + name, text);
      }
    }
  }

  // The program gets a failure as a disk's error code, and asks this page for the words (why_not).
  #store(name, text, old_name) {
    try {
      const old = old_name ? localStorage.getItem(KEY + old_name) : null;
      if (old !== null) localStorage.removeItem(KEY + old_name);  // first: there may be no space for both
      try {
        localStorage.setItem(KEY + name, text);
      } catch (error) {
        if (old !== null) localStorage.setItem(KEY + old_name, old);
        throw error;
      }
      this.why_not = '';
      this.#stored.set(name, text);
      if (old_name) this.#stored.delete(old_name);
    } catch (error) {
      const full = /quota/i.test(error?.name);
      this.why_not = full
        ? 'the browser\'s storage for this site is full. Delete data of this site in the browser\'s settings'
        : `the browser stores nothing for this page (${words_of_error(error)}). Allow this site to store data`;
      throw new FS.ErrnoError(full ? NO_SPACE : NO_ACCESS);
    }
  }
}
