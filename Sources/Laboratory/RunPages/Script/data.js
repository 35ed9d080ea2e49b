// Reads the page's runs, and prepares the data that each step needs.

const data = JSON.parse(document.getElementById("run").textContent);
const laneNames = data.l;
const BUS = laneNames.indexOf("bus");
const NETWORK = laneNames.indexOf("network");
const COLORS = 7;

/** Each bar in a lane takes the first free track. If no track is free, the bar shares the last track. */
const MOST_TRACKS = 8;

function prepare(run) {
  const rows = run.r.map((row, index) => ({
    index, time: row.t / 1000, lane: row.l, shape: row.h, text: row.s, kind: run.k[row.k], subject: row.i,
    number: row.e, origin: row.o, failure: row.x, deviation: row.d, isOpen: row.q === 1, views: row.w || [],
    ready: (row.y || []).map((name) => run.m[name].split("\n")), source: row.f, bar: null,
  }));
  const bars = run.b.map(([kind, lane, label, subject, start, end, result]) => ({
    kind, lane, label, subject, start, end: end < 0 ? rows.length - 1 : end, isEnded: end >= 0, result, track: 0,
  }));
  const arrows = run.a.map(([start, end, bar]) => ({ start, end, bar: bar < 0 ? null : bars[bar] }));
  const lanes = laneNames.map((name, index) => ({ name, index, tracks: 0, hasMarks: false, isUsed: false }));
  for (const bar of bars) if (bar.lane === NETWORK) for (const end of [bar.start, bar.end]) rows[end].bar ||= bar;
  for (const lane of lanes) placeTracks(lane, bars.filter((bar) => bar.lane === lane.index));
  for (const row of rows) {
    const lane = lanes[row.lane];
    lane.isUsed = true;
    if (row.lane !== NETWORK || !row.bar) lane.hasMarks = true;
    for (const index of [row.origin, row.isOpen ? BUS : undefined]) {
      if (index !== undefined) lanes[index].isUsed = lanes[index].hasMarks = true;
    }
  }
  const next = new Array(lanes.length).fill(Infinity);
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    row.nextInLane = next[row.lane];
    next[row.lane] = index;
    if (row.origin !== undefined) next[row.origin] = index;
  }
  const colors = new Map();
  for (const row of rows) {
    if (row.subject !== undefined && !colors.has(row.subject)) colors.set(row.subject, colors.size % COLORS);
  }
  const changes = run.w.map(() => []);
  for (const row of rows) for (const [view, ...state] of row.views) changes[view].push([row.index, state]);
  return {
    id: run.id, name: run.n, isPassed: run.ok, hasTimes: run.t, verdict: run.v, rows, bars, arrows, lanes, colors,
    views: run.w, changes, marked: rows.filter((row) => row.failure || row.deviation).map((row) => row.index),
    draws: rows.filter((row) => row.shape === "d").map((row) => row.index),
    userSteps: rows.filter((row) => row.shape === "u" || row.shape === "n").map((row) => row.index),
  };
}

function placeTracks(lane, bars) {
  const ends = [];
  for (const bar of bars) {
    let track = ends.findIndex((end) => end < bar.start);
    if (track < 0) track = ends.length < MOST_TRACKS ? ends.length : MOST_TRACKS - 1;
    ends[track] = Math.max(ends[track] || 0, bar.end);
    bar.track = track;
  }
  lane.tracks = ends.length;
  lane.isUsed ||= bars.length > 0;
}

const runs = data.r.map(prepare);

/** Returns what a view shows at a step, whether the view is visible, and whether this step changed the view. */
function viewAt(run, view, step) {
  const changes = run.changes[view];
  let low = 0, high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= step) low = middle + 1; else high = middle;
  }
  if (low === 0) return { shown: "", detail: "", isVisible: !run.hasTimes, isNew: false };
  const [index, [shown, detail, visible]] = changes[low - 1];
  return { shown, detail, isVisible: visible === 1, isNew: index === step };
}

/** Returns the scenario's latest note at or before a step, or null if there is none. */
function noteAt(run, step) {
  for (let index = step; index >= 0; index--) if (run.rows[index].shape === "n") return run.rows[index].text;
  return null;
}

function colorOf(run, subject) {
  const index = run.colors.get(subject);
  return index === undefined ? "none" : `s${index}`;
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => escapes[character]);
const milliseconds = (time) => `${time < 10 ? time.toFixed(1) : time.toFixed(time < 1000 ? 1 : 0)} ms`;

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}
