// The state at a step: what the views show, what is ready, what is in flight, and the source line.

const MOST_LISTED = 8;
const AROUND = 4;

class StatePanel {
  /** @param unit the word for a row: on the live page, each row is an event */
  constructor(unit = "step") {
    this.unit = unit;
    this.body = element("div");
    this.node = element("section", { "aria-labelledby": "state-title", class: "state" },
      element("h2", { id: "state-title", class: "quiet" }, `State at this ${unit}`), this.body);
  }

  show(run, step, link) {
    const row = run.rows[step];
    const focused = this.body.contains(document.activeElement) ? document.activeElement.tagName : null;
    const parts = [this.heading(run, row, link), this.screens(run, step)];
    // In a lesson, the source line matters more than what is ready.
    if (run.hasTimes) parts.push(this.ready(row), this.flight(run, step), this.source(row));
    else parts.push(this.source(row), this.ready(row), this.flight(run, step));
    this.body.innerHTML = parts.join("");
    if (focused) this.body.querySelector(focused)?.focus({ preventScroll: true });
  }

  heading(run, row, link) {
    const time = run.hasTimes ? `<span>${milliseconds(row.time)}</span>` : "";
    const number = row.number && this.unit !== "event" ? `<span>event ${row.number}</span>` : "";
    const note = noteAt(run, row.index);
    const remarks = [
      note && row.shape !== "n" ? `<p class="note">${escape(note)}</p>` : "",
      row.failure ? `<p class="callout bad"><b>✗ Fails here.</b> ${escape(row.failure)}</p>` : "",
      row.deviation ? `<p class="callout turn"><b>◆ Runs out of turn:</b> ${escape(row.deviation)}</p>` : "",
      row.isOpen ? `<p class="callout open"><b>○ No subscriber.</b> The bus delivers this event to no handler.</p>` : "",
    ].join("");
    return `<p class="where"><a href="#${escape(link)}">${this.unit} ${numberOf(run, row.index)}</a> <span>of ${numberOf(run, run.rows.length - 1)}</span>`
      + `${time}<span class="tag">${laneNames[row.lane]}</span>${number}</p>`
      + `<p class="what"><span class="dot ${colorOf(run, shownBy(row))}"></span>${escape(row.text)}</p>${remarks}`;
  }

  screens(run, step) {
    if (run.views.length === 0) return "";
    const items = run.views.map((name, index) => {
      const view = viewAt(run, index, step);
      const color = colorOf(run, view.shown);
      const words = view.shown === "" ? (view.detail ? "" : "nothing yet") : view.shown;
      const size = words.length > 9 ? "long" : words.length > 3 ? "word" : "letter";
      const isPicture = color !== "none";
      const kind = isPicture ? "picture" : words === "placeholder" ? "placeholder" : "empty";
      const classes = ["screen", view.isNew ? "new" : "", view.isVisible || isPicture ? "" : "hidden"].join(" ");
      const detail = view.detail ? `<span class="detail">${escape(view.detail)}</span>` : "";
      return `<li class="${classes}"><span class="title">${escape(name)}${view.isVisible ? "" : " (not on screen)"}</span>`
        + `<span class="glass ${kind} ${color} ${size}">${escape(words)}</span>${detail}</li>`;
    });
    return `<h3>Views</h3><ul class="screens">${items.join("")}</ul>`;
  }

  ready(row) {
    if (row.ready.length === 0) return "";
    const items = row.ready.map(([name, scheduler], index) =>
      `<li${index === 0 ? ' class="chosen"' : ""}><span>${escape(name)}</span> <small>${escape(scheduler)}</small></li>`);
    const ran = row.deviation ? "this one ran, out of turn" : "the first ran";
    const title = row.ready.length === 1 ? "Ready: only this" : `Ready: ${row.ready.length}, ${ran}`;
    return `<h3>${title}</h3><ul class="ready">${items.join("")}</ul>`;
  }

  flight(run, step) {
    const open = run.bars.filter((bar) => bar.start <= step && (bar.isEnded ? bar.end > step : true));
    const list = (title, bars) => {
      if (bars.length === 0) return "";
      const more = bars.length > MOST_LISTED ? `<li>and ${bars.length - MOST_LISTED} more</li>` : "";
      const items = bars.slice(0, MOST_LISTED).map((bar) =>
        `<li><span class="dot ${colorOf(run, bar.subject)}"></span>${escape(bar.label)}</li>`);
      return `<h3>${title}</h3><ul class="open">${items.join("")}${more}</ul>`;
    };
    return list("In flight", open.filter((bar) => bar.kind === "r"))
      + list("Subscribed", open.filter((bar) => bar.kind === "s"));
  }

  source(row) {
    if (!row.source || (row.failure && isVeiled())) return "";
    const file = data.f[row.source[0]];
    const mark = row.source[1] - 1;
    const from = Math.max(0, mark - AROUND), to = Math.min(file.l.length, mark + AROUND + 1);
    const lines = file.l.slice(from, to);
    const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
    const code = lines.map((line, index) => {
      const number = String(from + index + 1).padStart(4);
      const text = `<span class="n">${number}</span>  ${escape(line.slice(Number.isFinite(indent) ? indent : 0))}`;
      return from + index === mark ? `<mark>${text}</mark>` : text;
    }).join("\n");
    const title = `${escape(file.p)}:${mark + 1}`;
    return `<h3 class="file">${title}</h3>`
      + (lines.length ? `<pre tabindex="0" role="region" aria-label="${title}"><code>${code}</code></pre>` : "");
  }
}
