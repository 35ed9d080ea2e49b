// The page: it connects the drawing, the table and the state, and handles keys, links and printing.

function prepare(run) {
  const prepared = emptyRun(run);
  grow(prepared, { i: 0, r: run.r, b: run.b.map((bar, index) => [index, bar]), a: run.a, k: run.k, w: run.w });
  return prepared;
}

const runs = data.r.map(prepare);

const HASH_DELAY = 150;
const PLAY_INTERVAL = 900;
const STRIDE = 10;
const NO_STEPS = "This run has no steps.";
/** The URL fragment that opens all runs together. */
const ALL_RUNS = "all-runs";
/** The largest number of steps that are readable in the width of a page. */
const MOST_IN_WIDTH = 60;

const KEYS = [
  ["→ or Page Down", "next step"],
  ["← or Page Up", "previous step"],
  ["Shift with → or ←", "ten steps"],
  ["Home, End", "first or last step"],
  ["f, Shift f", "next or previous failure or deviation"],
  ["u, Shift u", "next or previous action of the user"],
  ["d, Shift d", "next or previous drawing of a view"],
  ["Space", "play, or pause"],
  ["1 to 9", "another run on this page"],
  ["a", "all runs together, or one of them"],
  ["t", "show steps or time on the axis"],
  ["p", "large type for a projector"],
  ["v", "show the verdict, or hide it"],
  ["s", "scroll to the table, and back"],
  ["?", "these keys"],
  ["Escape", "close this list"],
];

class Page {
  constructor(root) {
    this.run = 0;
    this.step = 0;
    this.drawing = new Drawing((step) => this.go(step));
    this.table = new RowTable((step) => this.go(step));
    this.state = new StatePanel();
    this.build(root);
    this.listen();
    if (!this.openLink()) this.load(0, 0);
  }

  // Building

  build(root) {
    this.status = element("p", { class: "spoken", role: "status" });
    this.slider = element("input", { type: "range", min: 1, value: 1, "aria-label": "Step" });
    this.counter = element("output", { class: "counter" });
    this.play = this.button("▶ Play", "Space", () => this.toggle());
    this.axis = this.button("Time axis", "t", () => this.switchAxis());
    this.large = this.button("Large type", "p", () => this.project());
    this.all = this.button("All runs", "a", () => this.showAll(this.stack.hidden));
    this.stack = element("div", { class: "stack", hidden: true });
    this.verdict = data.h ? this.button("", "v", () => this.veil(!isVeiled())) : null;
    this.marks = this.button("✗ Next mark", "f", () => this.jump("marked", 1));
    const controls = element("div", { class: "controls", role: "group", "aria-label": "Steps" },
      this.button("⇤", "Home", () => this.go(0), "First step"),
      this.button("←", "←", () => this.go(this.step - 1), "Previous step"),
      this.play,
      this.button("→", "→", () => this.go(this.step + 1), "Next step"),
      this.button("⇥", "End", () => this.go(Infinity), "Last step"),
      this.slider, this.counter, this.marks);
    this.cards = element("div", { class: "cards", role: "group", "aria-label": "Runs" });
    this.help = this.makeHelp();
    const tools = element("div", { class: "tools" }, this.verdict, this.all, this.axis, this.large,
      this.button("? Keys", "?", () => this.help.showModal()));
    const summary = data.s ? element("p", { class: "summary" }, data.s) : null;
    const commands = (data.c || []).map((command) => element("code", {}, command));
    const foot = commands.length ? element("footer", {}, element("h2", {}, "In the terminal"), ...commands) : null;
    this.empty = element("p", { class: "no-steps quiet", hidden: true }, NO_STEPS);
    this.stage = element("div", { class: "stage" },
      element("section", { class: "timeline", "aria-labelledby": "timeline-title" },
        element("h2", { id: "timeline-title", class: "spoken" }, "Timeline"), this.drawing.node, controls),
      this.state.node, this.table.node);
    root.append(
      element("header", {}, element("div", {}, element("h1", {}, data.t), element("p", { class: "subtitle" }, data.u)), tools),
      element("main", {}, this.cards, ...(summary ? [summary] : []), this.empty, this.stack, this.stage),
      ...(foot ? [foot] : []), this.status, this.help);
    this.veil(data.h === true);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - 1));
  }

  button(text, key, action, label = null) {
    const name = label ? `${label} (key ${key})` : null;
    const node = element("button", { type: "button", title: label ? name : `Key: ${key}`, "aria-label": name }, text);
    node.addEventListener("click", action);
    return node;
  }

  card(run, index) {
    const many = runs.length > 1;
    const [sign, kind] = isVeiled() ? ["?", "quiet"] : run.isPassed ? ["✓", "good"] : ["✗", "bad"];
    const [name, verdict] = isVeiled() ? [`Order ${index + 1}`, "What is its verdict?"] : [run.name, run.verdict];
    const mark = element("span", { class: `mark ${kind}` }, sign);
    const words = element("span", { class: "words" }, element("b", {}, name), element("span", {}, verdict));
    if (!many) return element("div", { class: "card single" }, mark, words);
    const key = index < 9 ? element("kbd", { "aria-hidden": "true" }, String(index + 1)) : null;
    const node = element("button", { type: "button", class: "card" }, mark, words, key);
    node.addEventListener("click", () => this.choose(index));
    return node;
  }

  makeHelp() {
    const rows = KEYS.filter(([key]) => ["1 to 9", "a"].includes(key) ? runs.length > 1 : key !== "v" || data.h).map(([key, does]) =>
      element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, does)));
    const close = element("button", { type: "button" }, "Close");
    const dialog = element("dialog", { "aria-labelledby": "help-title" }, element("h2", { id: "help-title" }, "Keys"),
      element("table", {}, element("tbody", {}, ...rows)), close);
    close.addEventListener("click", () => dialog.close());
    return dialog;
  }

  // Keys, links, printing

  listen() {
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.openLink());
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
    let width = 0;
    new ResizeObserver(([entry]) => {
      if (entry.contentRect.width === width) return;
      width = entry.contentRect.width;
      this.refresh();
    }).observe(document.body);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const onControl = event.target.closest?.("button, a");
    const stride = event.shiftKey ? STRIDE : 1;
    const actions = {
      ArrowRight: () => this.go(this.step + stride), PageDown: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - stride), PageUp: () => this.go(this.step - 1),
      Home: () => this.go(0), End: () => this.go(Infinity),
      f: () => this.jump("marked", 1), F: () => this.jump("marked", -1),
      d: () => this.jump("draws", 1), D: () => this.jump("draws", -1),
      u: () => this.jump("userSteps", 1), U: () => this.jump("userSteps", -1),
      a: this.hasAll ? () => this.showAll(this.stack.hidden) : null,
      v: data.h ? () => this.veil(!isVeiled()) : null, t: () => this.switchAxis(), p: () => this.project(), s: () => this.scroll(),
      "?": () => this.help.showModal(), " ": onControl ? null : () => this.toggle(),
    };
    // The other keys are about the steps of one run.
    if (!this.stack.hidden && !"avtp?123456789".includes(event.key)) return;
    const number = Number(event.key);
    const action = number >= 1 && number <= runs.length && runs.length > 1 ? () => this.choose(number - 1) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    if (event.key !== " ") this.stop();
    action();
  }

  /** The position of a step in links. */
  link(step, run = this.run) {
    return (runs.length > 1 ? `${runs[run].id}/` : "") + `step-${step + 1}`;
  }

  /** Opens the position that the URL fragment names. A run's id without a step opens the run at its last mark. */
  openLink() {
    let text = location.hash.slice(1);
    try { text = decodeURIComponent(text); } catch { /* an incomplete escape: use the text unchanged */ }
    if (text === "" || text === this.shown) return false;
    if (text === ALL_RUNS && this.hasAll) {
      this.load(0, 0);
      this.showAll(true);
      return true;
    }
    const match = text.match(/^(?:(.*)\/)?step-(\d+)$/);
    const id = match ? match[1] : text;
    const found = id === undefined ? this.run : runs.findIndex((run) => run.id === id);
    if (found < 0) return false;
    this.load(found, match ? Number(match[2]) - 1 : Math.max(0, runs[found].marked.at(-1) ?? 0));
    return true;
  }

  note() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const run = runs[this.run], row = run.rows[this.step];
      const isAll = !this.stack.hidden;
      this.shown = isAll ? ALL_RUNS : this.link(this.step);
      try { history.replaceState(null, "", `#${this.shown}`); } catch { location.replace(`#${this.shown}`); }
      const words = isAll ? ["All runs."] : !row ? [NO_STEPS] : [`Step ${this.step + 1} of ${run.rows.length}, ${laneNames[row.lane]}: ${row.text}.`,
        row.deviation ? `Runs out of turn, ${row.deviation}.` : "", row.failure && !isVeiled() ? `Fails: ${row.failure}.` : ""];
      this.status.textContent = words.join(" ").trim();
    }, HASH_DELAY);
  }

  print(isPrinting) {
    if (this.isEmpty || !this.stack.hidden) return;
    this.table.show(this.table.start, isPrinting && runs[this.run].rows.length <= 1000);
    if (!isPrinting) return this.refresh();
    this.drawing.layOut(1000);
    this.drawing.step = runs[this.run].rows.length - 1;
    this.drawing.node.style.height = "auto";
    this.drawing.draw(runs[this.run].rows.length <= 200);
  }

  get isEmpty() { return runs[this.run].rows.length === 0; }

  refresh() {
    if (!this.stack.hidden) return this.drawAll();
    if (this.isEmpty) return;
    this.drawing.layOut();
    this.drawing.go(this.step);
  }

  // Steps

  load(run, step) {
    this.run = run;
    const loaded = runs[run];
    this.markCard();
    this.slider.max = loaded.rows.length;
    this.axis.hidden = this.isEmpty || !loaded.hasTimes;
    this.marks.hidden = loaded.marked.length === 0;
    this.empty.hidden = !this.isEmpty;
    this.stage.hidden = this.isEmpty;
    if (this.isEmpty) {
      this.stop();
    } else {
      this.table.load(loaded, (index) => this.link(index, run));
      this.drawing.load(loaded);
    }
    this.isLoaded = true;
    this.showAll(false);
    this.go(step);
  }

  /** Whether there are several runs to show together. As long as the verdict is hidden, their drawings would tell it. */
  get hasAll() { return runs.length > 1 && !isVeiled(); }

  /** Shows the drawings of all runs, each up to its end, or the run with its steps. */
  showAll(isOn) {
    this.stop();
    this.all.setAttribute("aria-pressed", isOn);
    this.stack.hidden = !isOn;
    this.cards.hidden = isOn;
    this.stage.hidden = isOn || this.isEmpty;
    this.empty.hidden = isOn || !this.isEmpty;
    this.drawings = isOn ? runs.map((_, index) => new Drawing((step) => this.load(index, step))) : [];
    this.stack.replaceChildren(...this.drawings.map((drawing, index) =>
      element("section", {}, this.card(runs[index], index), drawing.node)));
    this.refresh();
    this.note();
  }

  drawAll() {
    this.drawings.forEach((drawing, index) => {
      const run = runs[index];
      if (run.rows.length === 0) return;
      Object.assign(drawing, { byTime: this.drawing.byTime, scale: this.drawing.scale });
      drawing.load(run);
      drawing.step = run.rows.length - 1;
      // A longer run is shrunk to the width, or if it would be unreadable, shows its end.
      const isShrunk = drawing.total > drawing.width && run.rows.length <= MOST_IN_WIDTH;
      if (isShrunk) drawing.node.style.height = "auto";
      isShrunk ? drawing.draw(true) : drawing.pan(Infinity);
    });
  }

  markCard() {
    if (runs.length > 1) [...this.cards.children].forEach((card, index) => card.setAttribute("aria-pressed", index === this.run));
  }

  /** Hides everything that says whether a run passes, or shows it. */
  veil(isOn) {
    document.documentElement.classList.toggle("veiled", isOn);
    this.cards.replaceChildren(...runs.map((run, index) => this.card(run, index)));
    this.markCard();
    this.all.hidden = !this.hasAll;
    if (!this.verdict) return;
    if (isOn && !this.stack.hidden) this.showAll(false);
    this.verdict.textContent = isOn ? "Show the verdict" : "Hide the verdict";
    if (this.isLoaded) this.go(this.step);
  }

  choose(run) { if (run !== this.run || !this.stack.hidden) this.load(run, Math.min(this.step, runs[run].rows.length - 1)); }

  go(step) {
    const run = runs[this.run];
    this.step = Math.max(0, Math.min(step, run.rows.length - 1)) || 0;
    this.note();
    if (this.isEmpty) return;
    this.drawing.go(this.step);
    this.state.show(run, this.step, this.link(this.step));
    this.table.go(this.step);
    this.slider.value = this.step + 1;
    this.slider.setAttribute("aria-valuetext", `${this.step + 1} of ${run.rows.length}`);
    this.counter.textContent = `${this.step + 1} / ${run.rows.length}`;
  }

  jump(list, direction) {
    const steps = runs[this.run][list];
    const next = direction > 0 ? steps.find((step) => step > this.step) : steps.findLast((step) => step < this.step);
    if (next !== undefined) this.go(next);
    else if (list === "marked" && steps.length) this.go(direction > 0 ? steps[0] : steps.at(-1));
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.isEmpty) return;
    if (this.step === runs[this.run].rows.length - 1) this.go(0);
    this.play.textContent = "⏸ Pause";
    this.playing = setInterval(() => {
      this.go(this.step + 1);
      const row = runs[this.run].rows[this.step];
      if (row.failure || this.step === runs[this.run].rows.length - 1) this.stop();
    }, PLAY_INTERVAL);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.play.textContent = "▶ Play";
  }

  switchAxis() {
    if (!runs[this.run].hasTimes) return;
    this.drawing.byTime = !this.drawing.byTime;
    this.axis.textContent = this.drawing.byTime ? "Step axis" : "Time axis";
    this.refresh();
  }

  project() {
    const isLarge = document.documentElement.classList.toggle("large");
    this.large.setAttribute("aria-pressed", isLarge);
    this.drawing.scale = isLarge ? 1.6 : 1;
    this.refresh();
  }

  scroll() {
    const table = this.table.node.getBoundingClientRect().top;
    if (table > window.innerHeight * 0.3) (this.table.current ?? this.table.node).scrollIntoView({ block: "center" });
    else window.scrollTo({ top: 0 });
  }
}

new Page(document.getElementById("page"));
