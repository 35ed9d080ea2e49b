// The table: every row of a run in words. For a long run, it contains only the rows around the current step.

const MOST_ROWS = 200;
const PART = 100;

class RowTable {
  constructor(choose, unit = "step") {
    this.unit = unit;
    this.caption = element("caption", { class: "quiet" });
    this.head = element("thead");
    this.body = element("tbody");
    this.table = element("table", { class: "rows" }, this.caption, this.head, this.body);
    this.before = element("button", { type: "button" });
    this.after = element("button", { type: "button" });
    this.before.addEventListener("click", () => this.show(this.start - PART));
    this.after.addEventListener("click", () => this.show(this.start + PART));
    this.node = element("section", { "aria-labelledby": "rows-title", class: "all" },
      element("h2", { id: "rows-title" }, `All ${unit}s`), this.before, this.table, this.after);
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (!row) return;
      event.preventDefault();
      choose(Number(row.dataset.row));
    });
  }

  load(run, link) {
    Object.assign(this, { run, link, step: 0 });
    const heads = [this.unit, ...(run.hasTimes ? ["ms"] : []), "lane", "what happens", this.unit === "event" ? "kind" : "event"];
    this.head.innerHTML = `<tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr>`;
    this.table.setAttribute("aria-rowcount", run.rows.length + 1);
    this.show(0);
  }

  /** Renders a part of a long run, or all rows of a short one. */
  show(start, isPrinted = false) {
    const count = this.run.rows.length;
    const isWhole = count <= MOST_ROWS || isPrinted;
    this.count = count;
    this.start = isWhole ? 0 : Math.max(0, Math.min(start, count - PART));
    this.end = isWhole ? count : Math.min(count, this.start + PART);
    this.body.innerHTML = this.run.rows.slice(this.start, this.end).map((row) => this.row(row)).join("");
    this.before.hidden = this.start === 0;
    this.after.hidden = this.end === count;
    this.before.textContent = `Earlier: ${this.unit}s ${Math.max(1, this.start - PART + 1)} to ${this.start}`;
    this.after.textContent = `Later: ${this.unit}s ${this.end + 1} to ${Math.min(count, this.end + PART)}`;
    this.caption.textContent = this.end - this.start === count ? "" : `${this.unit === "event" ? "Events" : "Steps"} ${this.start + 1} to ${this.end} of ${count}`;
    this.caption.hidden = this.caption.textContent === "";
    this.mark(this.step);
  }

  /** Shows the rows that the run has gained, if the last row was visible. */
  grow() {
    this.table.setAttribute("aria-rowcount", this.run.rows.length + 1);
    if (this.end === this.count) this.show(Infinity);
    else this.show(this.start);
  }

  row(row) {
    const classes = [row.failure ? "failure" : "", row.deviation ? "deviation" : ""].join(" ").trim();
    const time = this.run.hasTimes ? `<td class="number">${row.time.toFixed(1)}</td>` : "";
    const remarks = [
      row.deviation ? `<span class="remark turn">◆ ${escape(row.deviation)}</span>` : "",
      row.failure ? `<span class="remark bad">✗ ${escape(row.failure)}</span>` : "",
    ].join("");
    return `<tr data-row="${row.index}" aria-rowindex="${row.index + 2}"${classes ? ` class="${classes}"` : ""}>`
      + `<td class="number"><a href="#${escape(this.link(row.index))}">${numberOf(this.run, row.index)}</a></td>${time}`
      + `<td class="lane">${laneNames[row.lane]}</td>`
      + `<td><span class="dot ${colorOf(this.run, shownBy(row))}"></span>${escape(row.text)}${remarks}</td>`
      + `<td class="kind">${escape(row.kind)}${row.number && this.unit !== "event" ? ` <small>${row.number}</small>` : ""}</td></tr>`;
  }

  /** Marks the row of a step, without moving the page. */
  mark(step) {
    this.step = step;
    this.current?.removeAttribute("aria-current");
    this.current = this.body.children[step - this.start];
    this.current?.setAttribute("aria-current", "step");
  }

  go(step) {
    if (step < this.start || step >= this.end) {
      this.step = step;
      this.show(step - PART / 2);
    } else {
      this.mark(step);
    }
  }
}
