// Runs with the data that each step needs. A run can grow.

const laneNames = data.l;
const BUS = laneNames.indexOf("bus");
const NETWORK = laneNames.indexOf("network");
const COLORS = 7;

/** Each bar in a lane takes the first free track. If no track is free, the bar shares the last track. */
const MOST_TRACKS = 8;

/** Returns a run without rows. */
function emptyRun(run = {}) {
  return {
    id: run.id, name: run.n, isPassed: run.ok, hasTimes: run.t ?? true, verdict: run.v, names: run.m || [], rows: [], bars: [],
    arrows: [], kinds: [], views: [], changes: [], marked: [], draws: [], userSteps: [], colors: new Map(),
    lanes: laneNames.map((name, index) =>
      ({ name, index, tracks: 0, hasMarks: false, isUsed: false, ends: [], last: null })),
    // The index of the first row, which is above zero if earlier rows were left out, and the bars by their index.
    offset: null, numbered: new Map(), open: new Set(),
  };
}

/** Adds rows to a run, with the bars that begin or end in them, and the arrows, kinds and views that they add. */
function grow(run, { i: first, r, b, a, k, w }) {
  run.offset ??= first;
  const own = (index) => Math.max(0, index - run.offset);
  run.kinds.push(...k);
  for (const view of w) {
    run.views.push(view);
    run.changes.push([]);
  }
  const from = run.rows.length;
  r.forEach((row) => run.rows.push({
    index: run.rows.length, time: row.t / 1000, lane: row.l, shape: row.h, text: row.s, kind: run.kinds[row.k], subject: row.i,
    number: row.e, origin: row.o, failure: row.x, deviation: row.d, isOpen: row.q === 1, views: row.w || [],
    ready: (row.y || []).map((name) => run.names[name].split("\n")), source: row.f, bar: null, nextInLane: Infinity,
  }));
  for (const [index, bar] of b) addBar(run, index, bar, own);
  for (const bar of run.open) bar.end = run.rows.length - 1;
  run.arrows.push(...a.map(([start, end, bar]) =>
    ({ start: own(start), end: own(end), bar: bar < 0 ? null : run.numbered.get(bar) ?? null })));
  for (const row of run.rows.slice(from)) addRow(run, row);
}

function addBar(run, index, [kind, lane, label, subject, start, end, result], own) {
  const bar = run.numbered.get(index) ?? { kind, lane, label, subject, start: own(start), track: null };
  Object.assign(bar, { end: end < 0 ? run.rows.length - 1 : own(end), isEnded: end >= 0, result });
  const { ends } = run.lanes[lane];
  if (bar.track === null) {
    run.numbered.set(index, bar);
    run.bars.push(bar);
    run.lanes[lane].isUsed = true;
    const track = ends.findIndex((end) => end < bar.start);
    bar.track = track >= 0 ? track : ends.length < MOST_TRACKS ? ends.length : MOST_TRACKS - 1;
    ends[bar.track] = Math.max(ends[bar.track] || 0, bar.isEnded ? bar.end : Infinity);
    run.lanes[lane].tracks = ends.length;
  } else if (bar.isEnded) {
    ends[bar.track] = bar.end;
  }
  if (bar.isEnded) run.open.delete(bar); else run.open.add(bar);
  if (lane === NETWORK) for (const end of bar.isEnded ? [bar.start, bar.end] : [bar.start]) run.rows[end].bar ||= bar;
}

/** The number of a row. A page that was loaded late lacks the first rows of its run. */
function numberOf(run, index) { return (run.offset || 0) + index + 1; }

function addRow(run, row) {
  const lane = run.lanes[row.lane];
  lane.isUsed = true;
  if (row.lane !== NETWORK || !row.bar) lane.hasMarks = true;
  for (const index of [row.origin, row.isOpen ? BUS : undefined]) {
    if (index !== undefined) run.lanes[index].isUsed = run.lanes[index].hasMarks = true;
  }
  for (const index of [row.lane, row.origin]) {
    if (index === undefined || !run.lanes[index].last) continue;
    run.lanes[index].last.nextInLane = row.index;
    run.lanes[index].last = null;
  }
  lane.last = row;
  if (row.shape === "p") {
    row.lastPost = run.lastPost;
    if (hasLabel(row)) {
      if (run.lastPost !== undefined) run.rows[run.lastPost].nextPost = row.index;
      run.lastPost = row.index;
    }
  }
  if (row.subject !== undefined && !run.colors.has(row.subject)) run.colors.set(row.subject, run.colors.size % COLORS);
  for (const [view, ...state] of row.views) run.changes[view].push([row.index, state]);
  if (row.failure || row.deviation) run.marked.push(row.index);
  if (row.shape === "d") run.draws.push(row.index);
  if (row.shape === "u" || row.shape === "n") run.userSteps.push(row.index);
}

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

/** Returns what a row is about: for a drawing the picture that it shows, which need not be the selected one. */
function shownBy(row) { return row.shape === "d" && row.views.length ? row.views.at(-1)[1] : row.subject; }

/** Returns the scenario's latest note at or before a step, or null if there is none. */
function noteAt(run, step) {
  for (let index = step; index >= 0; index--) if (run.rows[index].shape === "n") return run.rows[index].text;
  return null;
}

/** Whether the page hides its verdicts, for readers who predict them. */
const isVeiled = () => document.documentElement.classList.contains("veiled");

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
