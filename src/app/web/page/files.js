// Files that a person drops on the window or picks: each is written to the program's file system, and the program opens
// it. A notice reports files that cannot be opened.
'use strict';

const MOST_FILES = 32, MOST_FILE_BYTES = 256 * 2 ** 20;

// A dropped folder looks like a file that cannot be read.
function take_drop(transfer) {
  const folders = [...transfer?.items ?? []].map(item => item.webkitGetAsEntry?.())
    .filter(entry => entry?.isDirectory).map(entry => entry.name);
  const files = [...transfer?.files ?? []].filter(file => !folders.includes(file.name));
  if (folders.length == 0 && files.length == 0) return notices.say('There is no file in what was dropped here.');
  return take_files(files, folders.map(name => `"${name}" is a folder: drop the files in it`));
}

async function take_files(files, refused = []) {
  if (files.length > MOST_FILES) {
    refused.push(`${files.length} files are too many: at most ${MOST_FILES} can be opened at once`);
    files = [];
  }
  for (const file of files) {
    const why = await take_file(file).catch(error => `cannot be read: ${words_of_error(error)}`);
    if (why) refused.push(`"${file.name}" ${why}`);
  }
  document.getElementById('picked').value = '';
  const more = refused.length - 5;
  if (refused.length) notices.say(refused.slice(0, 5).join('. ') + (more > 0 ? `. So are ${more} more.` : '.'));
}

// Returns why the file is refused; empty: the program opens it.
async function take_file(file) {
  if (!file.name) return 'is a file without a name: give it one';
  if (file.size > MOST_FILE_BYTES)
    return `has ${Math.ceil(file.size / 2 ** 20)} MiB, and a page opens at most ${MOST_FILE_BYTES / 2 ** 20}: ` +
      'the program for a desktop opens it';
  const path = HOME + file.name.replace(/^\.+|[/\0]/g, '_');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (notices.failed) return '';
  FS.writeFile(path, bytes);
  Module.ccall('tilewalk_drop', null, ['string'], [path]);
  return '';
}
