// lessons.html, a page that needs no JavaScript: the lessons by their own titles, each a link into the window, and the
// keys that the window takes from the browser.
//   node make_lessons.mjs TILEWALK_CLI.js LESSONS.html
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';

const TAKEN = [['F1', 'A hint'], ['F10, Shift+F10', 'A step on, a step back'], ['F11, F', 'Full screen'],
  ['Ctrl+E', 'Export'], ['Ctrl+Enter', 'Run the kernel of the lab'], ['Ctrl+L', 'Lessons'], ['Ctrl+O', 'Open a file'],
  ['Ctrl+P', 'Presets'], ['Ctrl+S', 'Save'],
  ['Ctrl+Q', 'End, until the page is loaded again'], ['Ctrl+Z, Ctrl+Y, Ctrl+Shift+Z', 'Undo and redo'],
  ['Ctrl+Shift+C', 'Copy the command line'], ['Ctrl+Shift+P', 'All commands'],
  ['Ctrl++, Ctrl+−, Ctrl+0', 'Size of the text in the window'],
  ['Ctrl+PgUp, Ctrl+PgDn', 'Screens of a lesson, where the browser lets go of them']];

const [, , program, out] = process.argv;
const {lessons} = JSON.parse(execFileSync('node', [program, 'lesson', '--list', '--json'], {encoding: 'utf8'}));
const plain = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\*/g, '');
const item = ({number, title, claim, minutes}) => `  <li>
    <a href="index.html#--then+%27open-lesson+${number}%27"><b>${number}. ${plain(title)}</b></a>
    ${plain(claim)} <span>· ${minutes} min</span></li>`;
const parts = [...new Set(lessons.map(lesson => lesson.phase))].map(phase => `<h2>${plain(phase)}</h2>
<ol>
${lessons.filter(lesson => lesson.phase == phase).map(item).join('\n')}
</ol>`);

writeFileSync(out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self';
  base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>Tilewalk: lessons</title>
<link rel="icon" href="tilewalk.svg" type="image/svg+xml">
<link rel="stylesheet" href="page.css">
</head>
<body>
<article>
<h1>Lessons</h1>
<p>Tilewalk shows attention being computed, one tile at a time. Each lesson asks, checks the answer, and says which
mistake it shows. <a href="index.html">Open the window</a>.</p>
${parts.join('\n')}
<h2>Keys that the window takes from the browser</h2>
<p>While the window has the focus. All others are the browser's. A question mark lists all keys of the window.</p>
<dl>
${TAKEN.map(([keys, what]) => `<dt>${keys}</dt><dd>${what}</dd>`).join('\n')}
</dl>
<h2>Fingers</h2>
<p>One finger is a mouse: it taps, and drags. Two fingers zoom. A text field brings up the keyboard.</p>
<p><small>Tilewalk is free software under the MIT licence.</small></p>
</article>
</body>
</html>
`);
