// The words of a link, in the page's address after its '#': a command line, as a shell reads it, with '+' for a space
// and %XX for a byte. Anybody can write a link, so everything that the program could not take is refused here.
'use strict';

const MOST_LINK_LETTERS = 100000, MOST_LINK_WORDS = 5000;

// {words, refused}: `refused` is the reason why the link has no words; empty: it was read.
function read_link(hash) {
  const refused = why => ({words: [], refused: why});
  const text = hash.replace(/^#/, '');
  if (text.length > MOST_LINK_LETTERS)
    return refused(`it has ${text.length} letters, and a link may have ${MOST_LINK_LETTERS}`);
  let line;
  try {
    line = decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    const at = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text);
    return refused(at ? `"${at[0]}" in it is no letter: after % come two digits of 0 to 9 and A to F`
                      : 'its %XX are not the bytes of letters in UTF-8');
  }
  if (/[\0-\x1f\x7f]/.test(line)) return refused('it has a control character');
  const words = [];
  let rest = line.trimStart();
  while (rest) {
    const [word] = /^(?:'[^']*'|\\.|[^\s'\\])+/.exec(rest) || [];
    if (!word || (word.length < rest.length && !/\s/.test(rest[word.length])))
      return refused(rest.includes('\'') ? 'a quote in it is not closed' : 'it ends in a backslash');
    if (words.length == MOST_LINK_WORDS) return refused(`it has more than ${MOST_LINK_WORDS} words`);
    words.push(word.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped));
    rest = rest.slice(word.length).trimStart();
  }
  return {words, refused: ''};
}
