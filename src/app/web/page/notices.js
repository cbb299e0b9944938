// Shows errors of the page: a cover over the window where the program cannot go on, a notice where it can. Catches
// every otherwise uncaught exception. Loaded before all other scripts, so that it can also report a missing script.
'use strict';

const HOME_OF_PAGE = location.origin;
const SHORTEST_NOTICE = 12, LETTERS_A_SECOND = 8;  // a notice stays at least this many seconds, a long one longer

// A trap leaves the program's memory in an unknown state, and so does a C++ exception that nothing catches. Firefox
// reports a stack overflow as an InternalError.
function ends_the_program(error) {
  return error instanceof WebAssembly.RuntimeError || error?.name == 'InternalError' ||
    (error instanceof RangeError && /call stack/i.test(error.message)) ||
    (typeof WebAssembly.Exception == 'function' && error instanceof WebAssembly.Exception);
}

function words_of_error(error) {
  const text = String(error?.message || error || 'unknown error').replace(/^Uncaught /, '').replace(/[.\s]+$/, '');
  return text.length > 300 ? text.slice(0, 300) + ' …' : text;
}

class Notices {
  failed = false;   // the program has ended
  started = false;  // the first frame has been shown
  before_end = () => {};
  #timer = 0;
  #element = id => document.getElementById(id);

  listen() {
    addEventListener('error', event => {
      const {target} = event;
      if (target instanceof HTMLScriptElement)
        return this.fail(`${target.src.replace(/.*\//, '')} could not be loaded.`);
      if (target == window && this.#is_ours(event)) this.went_wrong(event.error ?? event.message);
    }, true);
    addEventListener('unhandledrejection', event => this.went_wrong(event.reason));
    addEventListener('DOMContentLoaded', () => {
      for (const id of ['again', 'notice_again']) this.#element(id).onclick = () => location.reload();
      this.#element('notice_close').onclick = () => this.hide();
    });
  }

  // Browser extensions run scripts of their own in the page.
  #is_ours(event) { return event.filename ? event.filename.startsWith(HOME_OF_PAGE) : Boolean(event.error); }

  // Handles an uncaught exception.
  went_wrong(error) {
    if (!this.started) return this.fail(`Tilewalk could not start: ${words_of_error(error)}.`);
    if (ends_the_program(error)) return this.fail(`The program stopped: ${words_of_error(error)}.`);
    this.say(`Something went wrong in the page: ${words_of_error(error)}. The window goes on.`, true);
  }

  // Nothing runs after this. Only the first reason is shown: later ones follow from it.
  fail(text) {
    if (this.failed) return;
    this.failed = true;
    this.before_end();
    this.cover(text + (this.started ? ' Reload the page to go on from this view.' : ' Reload the page to try again.'));
  }

  cover(text) {
    this.hide();
    document.body.classList.add('ended');
    this.#element('cover').hidden = false;
    this.#element('bar').hidden = this.#element('late').hidden = true;
    this.#element('again').hidden = false;
    this.#element('why').textContent = text;
  }

  uncover() {
    document.body.classList.remove('ended');
    this.#element('cover').hidden = this.#element('again').hidden = true;
    this.#element('why').textContent = '';
  }

  // Shows a notice over the running window. `reload`: offers to reload the page.
  say(text, reload = false) {
    if (this.failed) return;
    this.#element('notice').hidden = false;
    this.#element('notice_again').hidden = !reload;
    if (this.#element('notice_text').textContent != text) this.#element('notice_text').textContent = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), (SHORTEST_NOTICE + text.length / LETTERS_A_SECOND) * 1000);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#element('notice').hidden = true;
    this.#element('notice_text').textContent = '';
  }
}

globalThis.notices = new Notices();
notices.listen();
