// The live page: it receives messages, sends steps, and connects the device with the timeline, the state and the table.

const token = location.hash.slice(1);
const tabID = Math.random().toString(36).slice(2);
const GAP = 46;
const SLOW = 200;
/** A sentence with more characters may need more than two lines. */
const LONG = 120;
/** The width at which the bus stands beside the device, as in live.css. */
const WIDE = "(min-width: 72rem)";

const KEYS = [
  ["j, k", "next or previous row of the list"], ["Enter", "select the row"], ["Escape", "go back, or dismiss the alert"],
  ["1 to 9", "another strategy"], ["← →", "previous or next event of the timeline"], ["l", "back to live"],
  ["n", "next step of a scenario that you play step by step"], ["t", "show the numbers or the times of the events on the axis"], ["p", "large type for a projector"], ["?", "this help"],
];

const SIGNS = [
  ["▲", "the model posts an event on the bus"], ["▲–○", "an event that no view has subscribed to; an event for traces only is a plain ▲"],
  ["+ −", "a view subscribes or unsubscribes; the bar between them is the subscription"],
  ["pentagon", "an action of the user, in the lane of the user"], ["⊗", "a fetch or a request fails"],
  ["○ ●", "a fetch or a request starts and ends; a delivery, below its post"], ["□", "a view is drawn, with the first letter of its picture"],
  ["dashed □", "a view is drawn without a picture: it shows the placeholder"],
  ["grey •", "a small event, such as bytes that arrive; at the end of a line, the lane that the event comes from"],
  ["⊘", "a subscriber loses an event, or its handler fails"],
];

const TOOLS = [
  ["Record", "saves the steps since the start as a scenario file, with the screens that you have seen as expectations"],
  ["With every strategy", "runs these steps with each strategy, and compares the screens"],
  ["Search", "tries other orders of the events of these steps, to find one that shows a wrong screen"],
  ["Network", "changes the responses that follow, not those in flight"],
];

const FAULTS = {
  "404": { status: 404, body: { bytes: 200 } }, "503": { status: 503, body: { bytes: 200 } },
  reset: { fault: "reset", after: 1000 }, stall: { fault: "stall", after: 1000 }, truncate: { fault: "truncate", after: 1000 },
};
const AS_SCRIPTED = "as scripted";
const LATENCIES = { [AS_SCRIPTED]: undefined, "none": "0ms", "200 ms": "200ms", "1 s": "1s", "3 s": "3s" };
const RATES = { [AS_SCRIPTED]: undefined, "Wi-Fi, 1 MB/s": 1_000_000, "3G, 100 KB/s": 100_000, "Edge, 25 KB/s": 25_000 };

const START = "Tap a row: the view subscribes on the notification bus, the model fetches the picture and posts `ImageFetched`, "
  + "and the bus delivers this event to the subscribed views.";

/** Returns the keyboard focus to the page after a choice with the pointer. A choice with keys leaves it in the menu. */
function releaseKeys(menu) {
  let isPointer = false;
  menu.addEventListener("pointerdown", () => { isPointer = true; });
  menu.addEventListener("keydown", () => { isPointer = false; });
  menu.addEventListener("change", () => { if (isPointer) menu.blur(); });
}

const secret = (path) => `${path}?t=${token}`;

class LivePage {
  constructor(root) {
    this.isLive = true;
    this.step = 0;
    this.device = new Device((steps) => this.act(() => this.send(steps)), (name) => secret(`/picture/${name}`));
    this.drawing = new Drawing((step) => this.go(step), GAP, () => this.pause());
    this.table = new RowTable((step) => this.go(step), "event");
    this.state = new StatePanel("event");
    this.build(root);
    document.addEventListener("keydown", (event) => this.key(event));
    // The address contains the token, so a link to a step must not replace it.
    document.addEventListener("click", (event) => { if (event.target.closest('a[href^="#"]')) event.preventDefault(); });
    new ResizeObserver(() => this.draw()).observe(this.drawing.node);
    if (token === "") return this.say("This address lacks its token. Open the whole address that the terminal shows.", true);
    document.addEventListener("visibilitychange", () => this.watch());
    this.watch();
  }

  /** Connects a visible tab. A hidden tab shows nothing, so it receives nothing, and the session makes no rows for it. */
  watch() {
    this.stream?.close();
    if (!document.hidden) this.connect();
  }

  // Building

  build(root) {
    const button = (text, action, attributes = {}) => {
      const node = element("button", { type: "button", ...attributes }, text);
      node.addEventListener("click", action);
      return node;
    };
    const choice = (label, options, action) => {
      const node = element("select", { "aria-label": label }, ...options.map((option) => element("option", {}, option)));
      node.addEventListener("change", action);
      releaseKeys(node);
      return element("label", {}, `${label} `, node);
    };
    this.title = element("h1", {}, "fetcher serve");
    this.summary = element("p", { class: "subtitle" });
    this.programs = element("select", { "aria-label": "Program" });
    releaseKeys(this.programs);
    this.programs.addEventListener("change", () => this.post("/session", { program: this.programs.value }));
    this.strategies = element("div", { class: "segments", role: "group", "aria-label": "Strategy" });
    this.latency = choice("Latency", Object.keys(LATENCIES), () => this.shape());
    this.rate = choice("Bandwidth", Object.keys(RATES), () => this.shape());
    this.fault = choice("Fault", Object.keys(FAULTS), () => {});
    this.address = choice("of", [], () => {});
    this.offline = button("Offline", () => this.toggleOffline(), { "aria-pressed": "false" });
    // The summary shows the state of the controls when they are folded.
    this.networkState = element("span", { class: "quiet" });
    this.faults = element("p", { class: "quiet" });
    this.networkPanel = element("details", { class: "network", open: matchMedia(WIDE).matches },
      element("summary", {}, "Network ", this.networkState),
      element("div", {}, this.latency, this.rate, this.offline),
      element("div", {}, this.fault, this.address, button("Next response", () => this.break(true)),
        button("From now on", () => this.break(false)), button("Repair", () => this.repair())), this.faults);
    this.tools = element("div", { class: "tools" }, button("Start over", () => this.startOver(), { title: "Begin a new session. Latency and bandwidth stay." }),
      button("Record", () => this.post("/record", { tab: tabID })),
      button("With every strategy", () => this.ask("/strategies"), { class: "child" }), button("Search", () => this.ask("/search"), { class: "child" }),
      button("? Help", () => this.help.showModal()));
    this.scenarios = element("select", { "aria-label": "Scenario" });
    releaseKeys(this.scenarios);
    this.play = element("div", { class: "play" }, element("label", {}, "Play a scenario ", this.scenarios),
      button("At speed", () => this.post("/play", { file: this.scenarios.value })),
      button("Step by step", () => this.post("/play", { file: this.scenarios.value, by: "step" })));
    this.next = button("Next step", () => this.act(() => this.post("/play", { by: "step" })), { title: "Key: n" });
    this.nextWords = element("span");
    this.played = element("div", { class: "played", hidden: true }, this.next, this.nextWords);
    this.alarmList = element("ul");
    this.alarmBox = element("section", { class: "alarms", hidden: true, "aria-labelledby": "alarms-title" },
      element("h2", { id: "alarms-title" }, "Alarms of this session"), this.alarmList);
    this.status = element("p", { class: "status", role: "status" }, "Connecting…");
    this.remark = element("p", { class: "remark-line", role: "status" });
    this.skipped = element("p", { class: "quiet", hidden: true });
    this.liveButton = button("● Live", () => this.follow(), { "aria-pressed": "true", title: "Key: l" });
    this.axis = button("Time axis", () => this.switchAxis(), { title: "Key: t. Events at the same time stay apart, so the axis is not to scale." });
    this.large = button("Large type", () => this.project(), { "aria-pressed": "false", title: "Key: p" });
    this.counter = element("output", { class: "counter" });
    this.result = element("section", { class: "result", hidden: true, "aria-labelledby": "result-title" });
    this.help = this.makeHelp(button);
    const controls = element("div", { class: "controls" }, this.liveButton,
      button("←", () => this.go(this.step - 1), { "aria-label": "Previous event of the timeline" }),
      button("→", () => this.go(this.step + 1), { "aria-label": "Next event of the timeline" }), this.axis, this.counter, this.played);
    root.append(
      element("header", {}, element("div", {}, this.title, this.summary), this.strategies,
        element("div", { class: "tools" }, this.large, element("label", {}, "Program ", this.programs))),
      element("main", {},
        element("div", { class: "middle" }, this.device.node,
          element("div", { class: "side" }, this.status, this.tools, this.play, this.networkPanel)),
        element("div", { class: "stage" }, element("div", { class: "now" }, this.remark, controls),
          element("section", { class: "timeline", "aria-labelledby": "timeline-title" },
            element("h2", { id: "timeline-title", class: "spoken" }, "Timeline"), this.drawing.node),
          this.alarmBox, this.result, this.state.node, element("div", { class: "all" }, this.skipped, this.table.node))),
      this.help);
  }

  makeHelp(button) {
    const table = (rows) => element("table", {}, element("tbody", {},
      ...rows.map(([key, does]) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, does)))));
    return element("dialog", { "aria-labelledby": "help-title" }, element("h2", { id: "help-title", tabindex: "-1", autofocus: true }, "Signs of the timeline"),
      table(SIGNS), element("h2", {}, "Tools"), table(TOOLS), element("h2", {}, "Keys"), table(KEYS), button("Close", () => this.help.close()));
  }

  // Messages

  connect() {
    const stream = this.stream = new EventSource(secret("/events") + (this.lastID ? `&last=${this.lastID}` : ""));
    const on = (name, action) => stream.addEventListener(name, (event) => {
      this.lastID = event.lastEventId;
      action(JSON.parse(event.data));
    });
    stream.onopen = () => { if (!this.run || this.isLost) this.say("Connected.", this.isLost = false); };
    stream.onerror = () => this.say(stream.readyState === EventSource.CLOSED
      ? "The page cannot connect. Is the address the one that the terminal shows? Are more than eight tabs open?"
      : "Connection lost. Trying again…", this.isLost = true);
    on("session", (message) => this.begin(message));
    on("rows", ({ run, remarks }) => this.add(run, remarks));
    on("screens", (message) => this.device.show(message));
    on("remark", (message) => this.showRemark(message));
    on("network", (changes) => this.showNetwork(changes));
    on("played", (message) => this.showPlayed(message));
    on("recorded", (message) => this.recorded(message));
    on("tool", (message) => this.showTool(message));
    on("failure", (message) => this.say(message.message, true));
  }

  /** Adds rows, and the sentences about them. */
  add(part, remarks) {
    const first = this.run.rows.length;
    grow(this.run, part);
    let last;
    for (const row of this.run.rows.slice(first)) {
      const remark = remarks.find((remark) => remark.row === row.index + this.run.offset);
      if (remark) last = row.remark = remark;
      // A sentence about an earlier step would seem to be about this one.
      else if (row.shape === "u") last = null;
      // Another tab may have switched.
      if (row.kind === "strategy.switch") this.press(row.text.slice("switch to ".length));
    }
    if (last !== undefined) this.showRemark(last);
    this.plan();
  }

  begin(message) {
    // A new session has no rows. The results of the last one are not about it.
    if (this.program !== message.program || message.run.r.length === 0) {
      this.result.hidden = true;
      if (this.run) this.say(this.networkState.textContent === AS_SCRIPTED || this.kept ? "" : "A new session: the network is as scripted again.");
    }
    const known = this.run && this.program === message.program ? this.run.offset + this.run.rows.length : 0;
    this.program = message.program;
    this.images = message.images;
    this.origin = message.origin;
    this.title.textContent = message.title;
    document.title = `${message.title} · fetcher serve`;
    this.summary.textContent = message.summary + (message.variant ? ` (${message.variant})` : "");
    const options = (node, names, chosen) => node.replaceChildren(...names.map(({ name, title }) =>
      element("option", { value: name, selected: name === chosen }, title || name)));
    options(this.programs, message.programs, message.program);
    this.listScenarios(message.scenarios, message.played?.name);
    this.play.hidden = message.scenarios.length === 0;
    options(this.address.lastChild, [{ name: "", title: "every address" }, ...this.paths().map((name) => {
      const image = message.images.find(({ path }) => path === name);
      return { name, title: image ? `${image.id} (${name})` : name };
    })], "");
    this.showNetwork(message.changes);
    for (const node of this.tools.querySelectorAll(".child")) node.hidden = !message.hasTools;
    this.strategies.replaceChildren(...message.strategies.map((name, index) => {
      const node = element("button", { type: "button", title: `Key: ${index + 1}` }, name);
      node.addEventListener("click", () => this.send([{ do: "switch", strategy: name }]));
      return node;
    }));
    this.press(message.strategy);
    this.run = emptyRun({ id: "live", n: message.title, ok: true, t: true });
    grow(this.run, message.run);
    const skipped = Math.max(0, message.run.i - known);
    this.skipped.hidden = message.run.i === 0;
    this.skipped.textContent = `The page shows the last ${this.run.rows.length} rows. It left out ${message.run.i} earlier ones`
      + (known && skipped ? `, of which it skipped ${skipped} because it was too slow.` : ".");
    this.isLoaded = false;
    // The screens of the last session would send steps that this one refuses.
    this.device.show(message.screens ?? { screens: [], isIdle: true });
    this.alarms = [];
    this.held = null;
    this.playing = null;
    this.strategy = message.strategy;
    this.showPlayed(message.played);
    for (const alarm of message.alarms) this.showRemark(alarm);
    this.showRemark(message.remark);
    this.follow();
    if (this.kept && message.run.r.length === 0 && !message.played) this.send([this.kept]);
    this.kept = null;
  }

  /** Begins a new session with the latency and the bandwidth of this one. */
  async startOver() {
    this.kept = this.shaped;
    if (!await this.post("/session", {})) this.kept = null;
  }

  /** Groups scenarios by the first word of their names, if several share it. */
  listScenarios(scenarios, chosen) {
    const word = ({ name }) => name.split("-")[0];
    const groups = new Map();
    for (const scenario of scenarios.toSorted((one, other) => one.name < other.name ? -1 : 1)) {
      const isShared = scenarios.filter((other) => word(other) === word(scenario)).length > 1;
      const label = isShared ? word(scenario) : "other";
      groups.set(label, [...groups.get(label) ?? [], element("option", { value: scenario.name, selected: scenario.name === chosen },
        scenario.title ? `${scenario.title} (${scenario.name})` : scenario.name)]);
    }
    const others = groups.get("other");
    if (others && groups.delete("other")) groups.set("other", others);
    this.scenarios.replaceChildren(...[...groups].map(([label, options]) => element("optgroup", { label }, ...options)));
  }

  /** Shows the last remark, or without one, or if the timeline is paused, the text of the current row. */
  showRemark(remark) {
    this.lastRemark = remark;
    const row = this.run.rows[(remark?.row ?? -1) - this.run.offset];
    if (row && !remark.isViolation) row.remark = remark;
    if (remark?.isViolation && !this.alarms.some(({ text, row }) => text === remark.text && row === remark.row)) this.alarms.push(remark);
    if (row && remark.isViolation) {
      row.failure = remark.text;
      if (this.table.run === this.run) this.table.show(this.table.start);
    }
    if (row) this.plan();
    this.showAlarms();
    this.explain();
  }

  /** Lists the alarms. After the next action, an alarm is about the past. */
  showAlarms() {
    this.alarmBox.hidden = this.alarms.length === 0;
    this.alarmList.replaceChildren(...this.alarms.map((alarm) => {
      const { text, row, causes } = alarm;
      const index = (row ?? -1) - this.run.offset, isNow = this.lastRemark?.text === text && this.lastRemark.row === row;
      const [rule, ...message] = text.split(": ");
      const words = isNow ? ` breaks the rule ${text}` : ` broke the rule ${rule}. The alarm was: “${message.join(": ")}”`;
      return element("li", {}, index >= 0 ? this.link(index, `Event ${numberOf(this.run, index)}`) : "The session", words, this.links(alarm, causes));
    }));
  }

  /** Returns a button that shows an event, and holds a remark while one of its events is shown. */
  link(index, text, held = null) {
    // A narrow button cuts its text.
    const node = element("button", { type: "button", title: text }, text);
    node.addEventListener("click", () => {
      this.held = held;
      this.go(index);
    });
    return node;
  }

  /** Returns links to the events of a remark, of which the first explains the last. */
  links(remark, rows) {
    const indices = rows.map((row) => row - this.run.offset).filter((index) => index >= 0);
    return element("span", { class: "links" }, ...indices.map((index) =>
      this.link(index, `${numberOf(this.run, index)}: ${this.run.rows[index].text}`, { remark, indices })));
  }

  explain() {
    const row = this.run.rows[this.step];
    // Until the user acts, there is nothing to see but the first screen.
    const isNew = this.isLive && this.run.userSteps.length <= 1;
    const own = row && !isNew
      ? { text: `Event ${numberOf(this.run, this.step)}: ${row.remark?.text ?? row.text}`, isViolation: Boolean(row.failure), causes: row.remark?.causes } : { text: this.playing ? "" : START };
    if (row?.failure) own.text += `. ✗ ${row.failure}`;
    const held = !this.isLive && this.held?.indices.includes(this.step) ? this.held.remark : null;
    const remark = this.isLive && this.lastRemark || held || own, { text, isViolation, row: place, causes = [] } = remark;
    // Screen readers announce remarks, but not each row.
    this.remark.setAttribute("aria-live", this.isLive && this.lastRemark ? "polite" : "off");
    const parts = text.split("`").map((part, index) => index % 2 ? element("code", {}, part) : part);
    if (causes.length || isViolation && place >= 0) parts.push(this.links(remark, [...causes, place ?? this.step + this.run.offset]));
    this.remark.replaceChildren(...parts);
    this.remark.classList.toggle("bad", isViolation === true);
    this.remark.hidden = text === "";
    // A sentence that may scroll must be reachable with the keyboard. Its height would be a layout for each event.
    if (text.length > LONG) this.remark.tabIndex = 0;
    else this.remark.removeAttribute("tabindex");
  }

  showPlayed(played) {
    this.played.hidden = !played?.isStepByStep;
    for (const node of this.tools.querySelectorAll("button:not(:first-child):not(:last-child)")) {
      node.disabled = Boolean(played);
      node.title = played ? "Only for your own session. `fetcher run` and `fetcher explore` do this with a scenario file." : TOOLS.find(([name]) => name === node.textContent)[1];
    }
    if (!played) return;
    const pace = played.isStepByStep ? " The origin holds each response until its turn, so a race happens as in the file." : "";
    const clock = played.isVirtual ? " It is for the virtual clock: here, its times and the number of its threads differ." : "";
    if (this.playing !== played.name) this.say(`Playing ${played.title || played.name} with ${this.strategy}.${pace}${clock}`);
    this.playing = played.name;
    this.next.disabled = !played.isReady;
    this.nextWords.textContent = played.move;
    if (played.verdict) {
      this.say([{ true: "✓", false: "✗" }[played.ok], played.verdict].filter(Boolean).join(" "), played.ok === false);
    }
  }

  recorded({ tab, file, steps, afterEvents, path }) {
    const marked = afterEvents ? ` ${afterEvents === 1 ? "One of them waits" : `${afterEvents} of them wait`} for an event that came up to 20 ms earlier.` : "";
    const count = steps === 1 ? "your action" : steps ? `your ${steps} actions` : "a session without actions";
    const wrong = this.run.rows.some((row) => row.failure) ? " It does not expect the screens that an alarm calls wrong, and it can fail while the program breaks a rule." : "";
    this.say(`Recorded ${count} as ${path ?? `${file}, in the downloads of this browser`}.${marked}${wrong}`);
    if (path || tab !== tabID) return;
    const link = element("a", { href: secret(`/recording/${file}`), download: file });
    document.body.append(link);
    link.click();
    link.remove();
  }

  showTool({ tool, isRunning, ok, sentences, error, page }) {
    const title = tool === "search" ? "Search" : "With every strategy";
    const verdict = isRunning ? "running…" : error ? "did not finish." : this.verdict(tool, ok);
    this.result.hidden = false;
    const parts = [element("h2", { id: "result-title" }, `${title}: ${verdict}`)];
    if (isRunning) parts.push(element("progress", { "aria-label": title }));
    parts.push(...sentences.map((sentence) => element("p", {}, sentence)));
    if (error) parts.push(element("pre", { tabindex: "0" }, error));
    if (page) {
      const [file, position] = page.split("#");
      const address = secret(`/result/${file}`) + (position ? `#${position}` : "");
      parts.push(element("p", {}, element("a", { href: address, target: "_blank", rel: "noreferrer" }, "Open the runs in a new tab")),
        element("iframe", { src: address, title: `The runs of ${title}`, sandbox: "allow-scripts" }));
    }
    this.result.replaceChildren(...parts);
    if (this.asked) this.result.scrollIntoView({ block: "nearest" });
    this.asked = this.asked && isRunning;
    this.say(`${title}: ${verdict} The result is below the timeline.`);
  }

  verdict(tool, ok) {
    if (tool === "search") return ok ? "✓ none of the orders that were tried fails." : "✗ found an order that fails.";
    return ok ? "✓ each strategy ends with the screens that you have seen." : "✗ a run ends with other screens, or breaks a rule.";
  }

  /** Asks for a tool, and scrolls to its result. */
  ask(path) {
    this.asked = true;
    return this.post(path, {});
  }

  /** Performs an action of the user, and returns to live, where its effect appears. */
  act(action) {
    if (!this.isLive) this.follow();
    return action();
  }

  say(text, isBad = false) {
    this.status.textContent = text;
    this.status.classList.toggle("bad", isBad);
  }

  // Steps

  /** Sends steps in the format of scenarios. The server performs a step when it arrives, so its time is zero. */
  send(steps) {
    this.say("");
    return this.post("/step", steps.map((step) => ({ at: "0ms", ...step })));
  }

  /** Marks the current strategy. */
  press(strategy) {
    for (const node of this.strategies.children) node.setAttribute("aria-pressed", node.textContent === strategy);
  }

  async post(path, body) {
    try {
      const response = await fetch(path, {
        method: "POST", body: JSON.stringify(body), headers: { "X-Fetcher-Token": token, "Content-Type": "application/json" },
      });
      if (response.ok) return true;
      const { errors: [error] } = await response.json();
      this.say([error.message, error.advice].filter(Boolean).join("; "), true);
    } catch {
      this.say("The server does not answer. Does `fetcher serve` still run?", true);
    }
    return false;
  }

  // Network: latency and bandwidth are one step for all addresses, and a fault is a step for each address that it concerns.

  paths() {
    const routes = (this.origin.routes ?? []).map((route) => route.path);
    return [...new Set([...this.images.map((image) => image.path), ...routes])].filter((path) => !path.includes("?"));
  }

  /** Returns the step after which an address responds as scripted. */
  scripted(path) {
    const route = (this.origin.routes ?? []).find((route) => route.path === path);
    return { do: "origin", ...(route ?? { path, responses: [this.origin.default ?? {}] }) };
  }

  /** Shows the network as the steps of this session have left it. */
  showNetwork(changes) {
    const network = changes.find((step) => step.do === "network"), { latency, bandwidth } = network ?? {};
    this.shaped = latency || bandwidth ? network : null;
    const choose = (label, values, value) => {
      label.lastChild.selectedIndex = Math.max(0, Object.values(values).indexOf(value));
    };
    choose(this.latency, LATENCIES, latency);
    choose(this.rate, RATES, bandwidth);
    this.all = changes.find((step) => step.all?.length > 0)?.all[0];
    this.isOffline = this.all?.fault === "refuse";
    this.offline.setAttribute("aria-pressed", this.isOffline);
    this.offline.textContent = this.isOffline ? "Back online" : "Offline";
    const text = JSON.stringify;
    this.changed = changes.filter(({ path, responses }) => path && text(responses) !== text(this.scripted(path).responses));
    const fault = (response) => Object.keys(FAULTS).find((name) => FAULTS[name].fault === response?.fault
      && Object.keys(FAULTS[name]).every((key) => text(response?.[key]) === text(FAULTS[name][key])));
    const list = (isArmed) => this.changed.flatMap(({ path, responses, requests }) => {
      const name = isArmed === responses.length > 1 && !requests && fault(responses[0]);
      return name ? `${this.images.find((image) => image.path === path)?.id ?? path}: ${name}` : [];
    });
    const faults = fault(this.all) ? [`every address: ${fault(this.all)}`] : list(false), armed = list(true);
    this.faults.textContent = (faults.length ? `From now on: ${faults.join(", ")}. ` : "")
      + (armed.length ? `Next response: ${armed.join(", ")}.` : "");
    const state = [this.latency, this.rate].map((label) => label.lastChild).filter((node) => node.selectedIndex > 0)
      .map((node) => node.value === "none" ? "no latency" : node.value);
    if (fault(this.all) && !this.isOffline) state.push("every address fails");
    else if (faults.length) state.push(`${faults.length} of ${this.paths().length} addresses fail`);
    if (armed.length) state.push(armed.length === 1 ? "one next response fails" : `${armed.length} next responses fail`);
    this.networkState.textContent = [...this.isOffline ? ["offline"] : [], ...state].join(", ") || AS_SCRIPTED;
  }

  shape() {
    return this.send([{ do: "network", latency: LATENCIES[this.latency.lastChild.value], bandwidth: RATES[this.rate.lastChild.value] }]);
  }

  break(isOnce) {
    const name = this.fault.lastChild.value, chosen = this.address.lastChild.value;
    const steps = !chosen && !isOnce ? [{ do: "origin", all: [{ body: { bytes: 2000 }, ...FAULTS[name] }] }] : (chosen ? [chosen] : this.paths()).map((path) => {
      const { responses } = this.scripted(path);
      // A fault in a body needs a body of some length, which the page of an error does not have.
      const { latency, status } = responses[0], { status: isError } = FAULTS[name];
      const base = isError ? { latency } : status ? { latency, body: { bytes: 2000 } } : responses[0];
      const fault = { ...base, ...FAULTS[name] };
      return { do: "origin", path, responses: isOnce ? [fault, ...responses] : [fault] };
    });
    return this.send(steps);
  }

  async repair() {
    const steps = this.changed.map(({ path }) => this.scripted(path));
    if (!this.all && steps.length === 0) return this.say("There is no fault to repair: each address responds as scripted.");
    if (this.all) steps.push({ do: "origin", all: [] });
    if (await this.send(steps)) this.say("Each address responds as scripted, apart from latency and bandwidth.");
  }

  toggleOffline() { return this.send([{ do: "origin", all: this.isOffline ? [] : [{ fault: "refuse" }] }]); }

  // Timeline

  /** Draws at the next frame, and renders the table and the state at most five times a second. */
  plan() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
    this.slow ??= setTimeout(() => {
      this.slow = null;
      this.drawSlowly();
    }, this.isLoaded ? SLOW : 0);
  }

  draw() {
    if (!this.run?.rows.length) return this.clear();
    if (this.drawing.run !== this.run) this.drawing.load(this.run);
    if (this.isLive) {
      this.step = this.run.rows.length - 1;
      this.drawing.focus = Math.max(0, (this.lastRemark?.causes[0] ?? this.run.offset + this.step - 1) - this.run.offset);
      this.drawing.follow();
    } else {
      this.drawing.layOut();
      this.drawing.draw();
    }
    this.counter.textContent = `${numberOf(this.run, this.step)} / ${numberOf(this.run, this.run.rows.length - 1)}`;
  }

  /** Shows that a session has no rows yet. */
  clear() {
    this.drawing.node.replaceChildren();
    this.counter.textContent = "";
    this.state.body.replaceChildren();
    if (this.run) this.table.load(this.run, (index) => `step-${index + 1}`);
  }

  drawSlowly() {
    if (!this.run.rows.length) return;
    if (this.isLive) this.step = this.run.rows.length - 1;
    if (this.table.run === this.run) this.table.grow();
    else this.table.load(this.run, (index) => `step-${index + 1}`);
    this.isLoaded = true;
    this.showStep();
  }

  showStep() {
    this.state.show(this.run, this.step, `step-${this.step + 1}`);
    this.table.mark(this.step);
    this.explain();
  }

  go(step) {
    if (!this.run?.rows.length) return;
    this.pause();
    this.step = Math.max(0, Math.min(step, this.run.rows.length - 1));
    this.drawing.layOut();
    this.drawing.go(this.step);
    this.table.go(this.step);
    this.showStep();
    this.counter.textContent = `${numberOf(this.run, this.step)} / ${numberOf(this.run, this.run.rows.length - 1)}`;
  }

  pause() {
    this.isLive = false;
    this.liveButton.textContent = "○ Paused: back to live";
    this.device.node.classList.add("later");
    this.liveButton.setAttribute("aria-pressed", "false");
  }

  follow() {
    this.isLive = true;
    this.liveButton.textContent = "● Live";
    this.device.node.classList.remove("later");
    this.liveButton.setAttribute("aria-pressed", "true");
    this.plan();
  }

  switchAxis() {
    this.drawing.byTime = !this.drawing.byTime;
    this.axis.textContent = this.drawing.byTime ? "Event axis" : "Time axis";
    this.draw();
  }

  /** Shows large type, for a projector. */
  project() {
    const isLarge = document.documentElement.classList.toggle("large");
    this.large.setAttribute("aria-pressed", isLarge);
    this.networkPanel.open = !isLarge && matchMedia(WIDE).matches;
    this.drawing.scale = isLarge ? 1.3 : 1;
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open || event.target.matches?.("input, select")) return;
    const actions = {
      j: () => this.device.focusRow(1), k: () => this.device.focusRow(-1), Escape: () => this.device.goBack(),
      ArrowLeft: () => this.go(this.step - 1), ArrowRight: () => this.go(this.step + 1), l: () => this.follow(),
      n: () => { if (!this.played.hidden) this.next.click(); }, t: () => this.switchAxis(), p: () => this.project(), "?": () => this.help.showModal(),
    };
    const strategy = /^[1-9]$/.test(event.key) ? this.strategies.children[Number(event.key) - 1] : null;
    const action = strategy ? () => strategy.click() : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

new LivePage(document.getElementById("page"));
