// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Hands the document to WebAssembly with each stroke, and shows the struct, or what is wrong and where.

const samples = {
  right: '{\n  "id": 5,\n  "name": "Ada Lovelace",\n  "email": "ada@example.com",\n  "role": "admin",\n' +
    '  "score": 99.5,\n  "active": true,\n  "tags": ["maths", "engines"]\n}',
  types: '{\n  "id": "5",\n  "name": "Ada Lovelace",\n  "email": false,\n  "role": "queen",\n' +
    '  "score": 99.5,\n  "activ": true,\n  "tags": ["maths", 7]\n}',
  syntax: '{\n  "id": 5,\n  "name": "Ada Lovelace",\n  "email": \'ada@example.com\',\n  "role": "admin"\n}',
  unicode: '{\n  "id": 9007199254740993,\n  "name": "Zo\\u00eb 🦉 Åström",\n  "email": null,\n  "role": "guest",\n' +
    '  "score": 1e-7,\n  "active": false,\n  "tags": ["naïve", "\\ud83e\\udd89", ""]\n}',
};

const element = id => document.getElementById(id);
const [editor, marks, table, status, errors, facts] =
  ['document', 'marks', 'fields', 'status', 'errors', 'facts'].map(element);

// WebAssembly asks for one thing: random bytes, for hashing.
const wasi = {
  random_get(at, count) {
    crypto.getRandomValues(new Uint8Array(decant.memory.buffer, at, count));
    return 0;
  },
};
const response = await fetch('page.wasm');
const bytes = await response.arrayBuffer();
const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: wasi });
const decant = instance.exports;
decant._initialize?.();

// --- Reading the module's memory

const memory = () => new DataView(decant.memory.buffer);
const text = (at, count) => new TextDecoder().decode(new Uint8Array(decant.memory.buffer, at, count));
function string(at) {
  const all = new Uint8Array(decant.memory.buffer, at);
  return text(at, all.indexOf(0));
}

// A kind of decant.h: its type in C, and how a value is read at a place of the struct.
const pointer = at => memory().getUint32(at, true);
const quoted = value => JSON.stringify(value);
const kinds = {
  1: ['bool', at => String(memory().getUint8(at) !== 0)],
  5: ['int64_t', at => String(memory().getBigInt64(at, true))],
  11: ['double', at => String(memory().getFloat64(at, true))],
  12: ['const char *', at => pointer(at) === 0 ? null : quoted(string(pointer(at)))],
  15: ['int32_t', at => `${memory().getInt32(at, true)}, ${string(decant.role_name(memory().getInt32(at, true)))}`],
  21: ['decant_text *', (at, length) => {
    const count = pointer(length);
    const items = Array.from({ length: count }, (_, index) => pointer(at) + 8 * index);
    return `[${items.map(item => quoted(text(pointer(item), pointer(item + 4)))).join(', ')}]`;
  }],
};

const fields = Array.from({ length: decant.field_count() }, (_, at) => {
  const [type, read] = kinds[decant.field_kind(at)];
  const offset = decant.field_offset(at), length = decant.field_length_offset(at);
  return { key: string(decant.field_key(at)), type, value: () => read(decant.value() + offset, decant.value() + length) };
});

// --- Showing

function cell(row, content, name) {
  const cell = row.insertCell();
  cell.textContent = content;
  if (name) cell.className = name;
}

function showFields(found) {
  table.replaceChildren();
  for (const field of fields) {
    const row = table.insertRow();
    cell(row, field.key);
    cell(row, field.type);
    const error = found.find(error => error.path?.split('/')[1] === field.key);
    const value = found.length === 0 ? field.value() : null;
    if (error) cell(row, error.message, 'error');
    else if (value === null) cell(row, found.length === 0 ? 'NULL' : '–', 'none');
    else cell(row, value);
  }
}

// The text of the document, with the tokens that errors are about marked.
function showMarks(source, encoded, found) {
  const places = found.map(error => error.location?.offset).filter(offset => offset !== undefined);
  const starts = [...new Set(places)].sort((a, b) => a - b).map(at => text_length(encoded, at));
  marks.replaceChildren();
  let end = 0;
  for (const start of starts) {
    if (start < end) continue;
    const token = source.slice(start).match(/^("(\\.|[^"\\\n])*"?|'[^'\n]*'?|[-+\w.]+|[^\n])/)?.[0] ?? ' ';
    marks.append(source.slice(end, start));
    const mark = document.createElement('mark');
    mark.textContent = token;
    marks.append(mark);
    end = start + token.length;
  }
  marks.append(source.slice(end) + '\n ');
}
// Offsets of Decant count bytes, those of JavaScript UTF-16.
const text_length = (encoded, count) => new TextDecoder().decode(encoded.subarray(0, count)).length;

function decode() {
  // Half of a surrogate pair, which a paste may leave, has no UTF-8.
  const source = editor.value.toWellFormed(), encoded = new TextEncoder().encode(source);
  const at = decant.input_buffer(encoded.length);
  new Uint8Array(decant.memory.buffer).set(encoded, at);
  const start = performance.now();
  const code = decant.decode(encoded.length);
  const taken = performance.now() - start;
  const report = code === 0 ? null : JSON.parse(string(decant.errors()));
  const found = report === null ? [] : report.errors ?? [report];
  const count = found.length + (report?.omitted ?? 0);
  document.body.className = code === 0 ? 'right' : 'wrong';
  status.textContent = code === 0 ? 'decoded' : count === 1 ? '1 error' : `${count} errors`;
  errors.textContent = code === 0 ? '' : string(decant.message());
  showFields(found);
  showMarks(source, encoded, found);
  facts.textContent = `${encoded.length} bytes in ${taken < 0.1 ? 'less than 0.1' : taken.toFixed(1)} ms. ` +
    `The WebAssembly module has ${Math.round(bytes.byteLength / 1000)} KB, and no other code.`;
  history.replaceState(null, '', '#' + encodeURIComponent(source));
}

editor.addEventListener('input', decode);
editor.addEventListener('scroll', () => { marks.scrollTop = editor.scrollTop; marks.scrollLeft = editor.scrollLeft; });
for (const button of document.querySelectorAll('[data-sample]')) {
  button.addEventListener('click', () => { editor.value = samples[button.dataset.sample]; decode(); });
}
// The address keeps the document, so that it can be shared; one that was cut may be none.
function open() {
  try {
    editor.value = decodeURIComponent(location.hash.slice(1));
  } catch { /* the one that is there */ }
  editor.value ||= samples.right;
  decode();
}
addEventListener('hashchange', open);
open();
