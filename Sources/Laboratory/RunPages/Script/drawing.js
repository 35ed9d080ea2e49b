// The drawing: the rows of the table as marks in lanes. It draws only the visible part.

const NARROW = 560;

class Drawing {
  /**
   * @param choose called with the row of a click
   * @param gap the distance of rows in a run that grows, or null to fit the run into the width
   * @param onPan called when the user pans
   */
  constructor(choose, gap = null, onPan = () => {}) {
    Object.assign(this, { fixedGap: gap, onPan });
    this.node = element("div", { class: "drawing", "aria-hidden": "true" });
    this.camera = 0;
    this.byTime = false;
    this.scale = 1;
    // In a run that grows, the rows move closer together until this row is visible with the last one.
    this.focus = 0;
    let drag = null;
    this.node.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, camera: this.camera, isMoved: false };
    });
    this.node.addEventListener("pointermove", (event) => {
      if (!drag || event.buttons === 0) return;
      if (Math.abs(event.clientX - drag.x) > 4) drag.isMoved = true;
      if (drag.isMoved) this.panByHand(drag.camera - (event.clientX - drag.x));
    });
    this.node.addEventListener("pointerup", (event) => {
      const isClick = drag && !drag.isMoved;
      drag = null;
      if (isClick) choose(this.rowAt(event.clientX - this.node.getBoundingClientRect().left));
    });
    this.node.addEventListener("wheel", (event) => {
      const by = event.shiftKey ? event.deltaY : event.deltaX;
      if (by === 0 || this.isWhole || this.total <= this.width) return;
      event.preventDefault();
      this.panByHand(this.camera + by);
    }, { passive: false });
  }

  load(run) {
    this.run = run;
    this.camera = 0;
    this.step = 0;
    this.layOut();
  }

  /** Computes the positions of the rows and the lanes for the current width. */
  layOut(width = this.node.clientWidth) {
    const { run, scale } = this;
    this.width = Math.max(width, 240);
    this.isNarrow = this.width < NARROW * scale;
    this.gutter = this.isNarrow ? 6 : 78 * scale;
    const count = run.rows.length, pad = 26 * scale, end = (count > 20 && !this.fixedGap ? 26 : 80) * scale;
    const room = this.width - this.gutter - pad - end;
    const least = 24 * scale;
    this.gap = this.fixedGap ? Math.max(least, Math.min(this.fixedGap * scale, room / Math.max(1, count - 1 - this.focus)))
      : Math.max(least, Math.min(150 * scale, room / Math.max(1, count - 1)));
    this.isTimed = this.byTime && run.hasTimes;
    this.xs = this.isTimed ? this.timePositions(room, pad) : run.rows.map((_, index) => this.gutter + pad + index * this.gap);
    this.total = (this.xs[count - 1] || 0) + end;
    let y = 30 * scale;
    const line = 30 * scale, track = 19 * scale;
    for (const lane of run.lanes) {
      if (!lane.isUsed) continue;
      lane.top = y;
      const title = this.isNarrow ? 15 * scale : 4 * scale;
      lane.line = y + title + (lane.hasMarks ? line / 2 : 0);
      lane.firstTrack = y + title + (lane.hasMarks ? line : 2 * scale);
      lane.height = title + (lane.hasMarks ? line : 2 * scale) + lane.tracks * track + 5 * scale;
      y += lane.height + 3 * scale;
    }
    this.height = y + 4 * scale;
    this.node.style.height = `${this.height}px`;
  }

  /** Keeps rows with the same time apart, so that their order is visible. */
  timePositions(room, pad) {
    const rows = this.run.rows, apart = 14 * this.scale;
    const last = rows[rows.length - 1], first = rows[0];
    const span = Math.max(last.time - first.time, 0.001);
    const free = Math.max(room - rows.length * apart, rows.length * apart * 0.8);
    let x = this.gutter + pad - apart, before = first.time;
    return rows.map((row) => {
      x += apart + (row.time - before) / span * free;
      before = row.time;
      return x;
    });
  }

  panByHand(camera) {
    if (this.isWhole) return;
    this.onPan();
    this.pan(camera);
  }

  /** Lays out the rows that a run has gained, and draws the last one at the right edge. */
  follow() {
    this.layOut();
    this.step = this.run.rows.length - 1;
    this.pan(Infinity);
  }

  pan(camera) {
    this.camera = Math.max(0, Math.min(camera, this.total - this.width));
    this.draw();
  }

  go(step) {
    this.step = step;
    const x = this.xs[step], left = this.camera + this.gutter + (this.width - this.gutter) * 0.15;
    const right = this.camera + this.width * 0.75;
    if (this.total <= this.width) this.camera = 0;
    else if (x < left || x > right) {
      const share = x > right ? 0.6 : 0.4;
      this.camera = Math.max(0, Math.min(x - this.width * share, this.total - this.width));
    }
    this.draw();
  }

  rowAt(x) {
    const at = this.isWhole ? x * this.total / this.node.clientWidth : x + this.camera;
    let best = 0;
    for (let index = this.first; index <= this.last; index++) {
      if (Math.abs(this.xs[index] - at) < Math.abs(this.xs[best] - at)) best = index;
    }
    return best;
  }

  // The parts of the drawing, in drawing order

  draw(isWhole = false) {
    this.isWhole = isWhole;
    const { run, xs, scale } = this;
    const width = isWhole ? this.total : this.width;
    const camera = isWhole ? 0 : this.camera;
    const margin = 120;
    this.first = lowerBound(xs, camera - margin);
    this.last = Math.min(run.rows.length, lowerBound(xs, camera + width + margin)) - 1;
    const rows = run.rows.slice(this.first, this.last + 1);
    const lanes = run.lanes.filter((lane) => lane.isUsed);
    const bars = run.bars.filter((bar) => bar.start <= this.last && bar.end >= this.first);
    const arrows = run.arrows.filter((arrow) => arrow.start <= this.last && arrow.end >= this.first);
    const out = [];
    for (const lane of lanes) {
      out.push(`<rect class="band" x="0" y="${lane.top}" width="${this.total + width}" height="${lane.height}" rx="${6 * scale}"/>`);
      if (lane.hasMarks) out.push(`<path class="rail" d="M${camera} ${lane.line}H${camera + width}"/>`);
    }
    this.head(out);
    for (const bar of bars) this.bar(out, bar);
    for (const row of rows) this.link(out, row);
    for (const arrow of arrows) this.arrow(out, arrow);
    for (const row of rows) this.mark(out, row);
    for (const row of rows) if (row.index !== this.step) this.label(out, row);
    this.veil(out, camera + width);
    this.label(out, run.rows[this.step]);
    this.axis(out, rows);
    const frame = isWhole ? `width="100%" preserveAspectRatio="xMinYMin meet"` : `width="${width}" height="${this.height}"`;
    const titles = lanes.map((lane) => this.isNarrow
      ? `<text class="lane" x="6" y="${lane.top + 12 * scale}">${lane.name}</text>`
      : `<text class="lane" x="${10 * scale}" y="${lane.top + Math.min(lane.height / 2, 20 * scale) + 4 * scale}">${lane.name}</text>`);
    const cover = this.isNarrow ? ""
      : `<rect class="cover" x="0" y="${26 * scale}" width="${this.gutter - 4}" height="${this.height}"/>`;
    this.node.innerHTML = `<svg ${frame} viewBox="0 0 ${width} ${this.height}" font-size="${12 * scale}">`
      + `<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`
      + `<rect class="hatch" width="3" height="7"/></pattern></defs>`
      + `<g transform="translate(${-camera} 0)">${out.join("")}</g>${cover}${titles.join("")}</svg>`;
  }

  trackY(bar) { return this.run.lanes[bar.lane].firstTrack + bar.track * 19 * this.scale + 8 * this.scale; }

  rowY(row) {
    if (row.lane === NETWORK && row.bar) return this.trackY(row.bar);
    return this.run.lanes[row.lane].line;
  }

  /** Draws the band that marks the current step. */
  head(out) {
    const x = this.xs[this.step], half = Math.min(this.gap, 30 * this.scale) / 2;
    out.push(`<rect class="head" x="${x - half}" y="${22 * this.scale}" width="${2 * half}" height="${this.height}" rx="${5 * this.scale}"/>`);
  }

  bar(out, bar) {
    const { scale, xs } = this;
    const y = this.trackY(bar), height = 15 * scale, top = y - height / 2;
    const from = xs[bar.start], to = bar.isEnded ? xs[bar.end] : xs[bar.end] + 18 * scale;
    const width = Math.max(to - from, 6 * scale);
    const color = colorOf(this.run, bar.subject);
    const dead = bar.result === "c" || bar.result === "x" ? " dead" : "";
    out.push(`<rect class="bar ${bar.kind === "b" ? "blocked" : color}${dead}" x="${from}" y="${top}" width="${width}" height="${height}" rx="${bar.kind === "s" ? 2 : height / 2}"/>`);
    const end = from + width;
    if (!bar.isEnded) out.push(`<path class="ragged" d="M${end} ${top - 1}l${-4 * scale} ${height / 4}l${4 * scale} ${height / 4}l${-4 * scale} ${height / 4}l${4 * scale} ${height / 4}v2h${4 * scale}v${-height - 2}z"/>`);
    else if (bar.result === "x") out.push(cross(end, y, 5 * scale, "end bad"));
    else if (bar.result === "c") out.push(`<path class="end quiet" d="M${end - 4 * scale} ${top + height + 2}l${8 * scale} ${-height - 4}"/>`);
    const starter = this.run.rows[bar.start];
    if (bar.kind !== "b" && bar.kind !== "f" && starter.lane !== bar.lane) {
      const base = this.run.lanes[starter.origin ?? starter.lane].line, sign = Math.sign(y - base);
      out.push(`<path class="wire" d="M${from} ${base}V${y - sign * 10 * scale}"/>` + tip(from, y - sign * 8 * scale, sign, scale));
    }
    // The label stays visible while part of the bar is visible.
    const left = Math.max(from + 9 * scale, this.camera + this.gutter + 4 * scale);
    const text = fit(bar.label, end - left - 8 * scale, scale);
    if (text) out.push(`<text class="in" x="${left}" y="${y + 4 * scale}">${escape(text)}</text>`);
  }

  /** Draws the line between a row's lane and the lane from which its event comes or to which it goes. */
  link(out, row) {
    if (row.origin === undefined || row.origin === row.lane) return;
    const x = this.xs[row.index], here = this.rowY(row), there = this.run.lanes[row.origin].line;
    const isBack = row.shape === "r" || row.shape === "o" || (row.lane === NETWORK && row.shape !== "s") || row.shape === "u";
    const from = isBack ? here : there, to = isBack ? there : here;
    const sign = Math.sign(to - from), clear = 8 * this.scale;
    out.push(`<path class="wire" d="M${x} ${from}V${to - sign * clear}"/>`
      + tip(x, to - sign * (clear - 3 * this.scale), sign, this.scale));
    out.push(`<circle class="foot" cx="${x}" cy="${there}" r="${3 * this.scale}"/>`);
  }

  arrow(out, arrow) {
    const from = this.run.rows[arrow.start], to = this.run.rows[arrow.end];
    // The bar of a request already connects its ends.
    if (to.bar && to.bar.end === to.index && to.bar.start === from.index) return;
    const x = this.xs[arrow.start], y = this.rowY(from), x2 = this.xs[arrow.end];
    const isBus = from.shape === "p" && from.lane === BUS;
    const y2 = arrow.bar ? this.trackY(arrow.bar) : this.rowY(to);
    const bend = (x2 - x) * 0.55;
    const color = isBus ? colorOf(this.run, from.subject) : "none";
    out.push(`<path class="arrow ${color}${isBus ? " bus" : ""}" d="M${x} ${y}C${x + bend} ${y} ${x2 - bend} ${y2} ${x2} ${y2}"/>`);
    if (arrow.bar) {
      out.push(`<circle class="solid ${color}" cx="${x2}" cy="${y2}" r="${4 * this.scale}"/>`);
      const end = to.lane === BUS && to.origin !== undefined ? this.run.lanes[to.origin].line : this.rowY(to);
      const sign = Math.sign(end - y2);
      out.push(`<path class="arrow bus ${color}" d="M${x2} ${y2}V${end - sign * 9 * this.scale}"/>`
        + tip(x2, end - sign * 5 * this.scale, sign, this.scale, color));
    }
  }

  mark(out, row) {
    const { scale } = this;
    const x = this.xs[row.index], y = this.rowY(row), color = colorOf(this.run, row.subject);
    const at = `cx="${x}" cy="${y}"`;
    switch (row.shape) {
      case "u": out.push(`<path class="user" d="M${x - 7 * scale} ${y - 7 * scale}h${8 * scale}l${7 * scale} ${7 * scale}l${-7 * scale} ${7 * scale}h${-8 * scale}z"/>`); break;
      case "d": this.drawn(out, row, x, y); break;
      case "s": out.push(`<circle class="ring ${color}" ${at} r="${5 * scale}"/>`); break;
      case "e": out.push(`<circle class="solid ${color}" ${at} r="${5.5 * scale}"/>`); break;
      case "x": out.push(`<circle class="ring bad" ${at} r="${7 * scale}"/>` + cross(x, y, 3.5 * scale, "bad")); break;
      case "p":
        out.push(`<path class="solid ${color}" d="M${x} ${y - 7 * scale}l${7 * scale} ${12 * scale}h${-14 * scale}z"/>`);
        if (row.isOpen) out.push(this.openEnd(x, y));
        break;
      case "r": out.push(`<circle class="ring ${color}" ${at} r="${4 * scale}"/>`); break;
      case "+": out.push(`<path class="stroke" d="M${x - 4 * scale} ${y}h${8 * scale}M${x} ${y - 4 * scale}v${8 * scale}"/>`); break;
      case "-": out.push(`<path class="stroke" d="M${x - 4 * scale} ${y}h${8 * scale}"/>`); break;
      case "o": out.push(`<circle class="ring bad" ${at} r="${6 * scale}"/><path class="bad" d="M${x - 6 * scale} ${y + 6 * scale}l${12 * scale} ${-12 * scale}"/>`); break;
      case "n": out.push(`<path class="paper" d="M${x - 6 * scale} ${y - 7 * scale}h${9 * scale}l${4 * scale} ${4 * scale}v${10 * scale}h${-13 * scale}zM${x - 3 * scale} ${y}h${7 * scale}M${x - 3 * scale} ${y + 4 * scale}h${7 * scale}"/>`); break;
      default: out.push(`<circle class="solid none" ${at} r="${3.5 * scale}"/>`);
    }
    if (row.isOpen && row.lane !== BUS) {
      const bus = this.run.lanes[BUS].line, sign = Math.sign(bus - y);
      out.push(`<path class="wire" d="M${x} ${y + sign * 8 * scale}V${bus - sign * 8 * scale}"/>`
        + `<path class="solid ${color}" d="M${x} ${bus - 7 * scale}l${7 * scale} ${12 * scale}h${-14 * scale}z"/>` + this.openEnd(x, bus));
    }
    if (row.deviation) out.push(`<path class="turn" d="M${x} ${y - 12 * scale}l${12 * scale} ${12 * scale}l${-12 * scale} ${12 * scale}l${-12 * scale} ${-12 * scale}z"/>`);
    if (row.failure) {
      out.push(`<g class="fails"><path class="fault" d="M${x} ${28 * scale}V${this.height - 4 * scale}"/>`
        + `<circle class="badge" ${at} r="${9 * scale}"/>${cross(x, y, 4 * scale, "on")}</g>`);
    }
  }

  /** Returns the mark for a post that reaches no subscriber. */
  openEnd(x, y) {
    const { scale } = this;
    return `<path class="open" d="M${x + 6 * scale} ${y}h${7 * scale}"/><circle class="open" cx="${x + 17 * scale}" cy="${y}" r="${4 * scale}"/>`;
  }

  /** Draws a small screen that contains what the view shows. */
  drawn(out, row, x, y) {
    const { scale } = this, side = 9 * scale;
    const shown = shownBy(row) ?? "";
    const color = colorOf(this.run, shown);
    const isPicture = color !== "none";
    const kind = isPicture ? `screen ${color}` : `screen${shown === "placeholder" ? " placeholder" : ""}`;
    out.push(`<rect class="${kind}" x="${x - side}" y="${y - side}" width="${2 * side}" height="${2 * side}" rx="${3 * scale}"/>`);
    if (isPicture) out.push(`<text class="letter" x="${x}" y="${y + 4.5 * scale}">${escape([...shown].slice(0, 1).join(""))}</text>`);
  }

  /** Writes the text of a row to the right of its mark. If a post has no room there, its text is above, from or to its mark. */
  label(out, row) {
    if (!hasLabel(row)) return;
    const { scale, xs } = this, x = xs[row.index], text = this.textBeside(row), y = this.rowY(row);
    const write = (text, x, y, place = "") => out.push(`<text class="label" ${place} x="${x}" y="${y}">${escape(text)}</text>`);
    if (row.shape === "p" && text !== row.text) {
      if (this.isAbove(row)) return void write(row.text, x - 7 * scale, y - 10 * scale);
      const last = this.run.rows[row.lastPost], isAbove = last && this.isAbove(last);
      const left = Math.max(last ? xs[last.index] + (isAbove ? last.text.length * 6.5 * scale : 0) : 0, this.camera + this.gutter);
      const above = fit(row.text, x - left - 16 * scale, scale);
      if (above.length > text.length) return void write(above, x + 7 * scale, y - 10 * scale, 'text-anchor="end"');
    }
    if (text) write(text, this.besideX(row), y + 4 * scale);
  }

  besideX(row) { return this.xs[row.index] + (row.isOpen && row.lane === BUS ? 25 : 13) * this.scale; }

  /** The part of a row's text that fits between its mark and the next one in its lane. */
  textBeside(row) {
    const { scale, xs } = this;
    const next = row.nextInLane === Infinity ? this.total + (this.fixedGap ? 0 : 60 * scale) : xs[row.nextInLane] - 12 * scale;
    return fit(row.text, next - this.besideX(row), scale);
  }

  /** Whether the text of a post stands above its mark, and reaches to the next post at most. */
  isAbove(row) {
    const after = this.xs[row.nextPost] ?? this.total;
    return this.textBeside(row) !== row.text && fit(row.text, after - this.xs[row.index] - 8 * this.scale, this.scale) === row.text;
  }

  /** Dims everything after the current step. */
  veil(out, right) {
    const x = this.xs[this.step] + Math.min(this.gap, 30 * this.scale) / 2;
    out.push(`<rect class="veil" x="${x}" y="${24 * this.scale}" width="${Math.max(0, right - x) + 200}" height="${this.height}"/>`);
  }

  axis(out, rows) {
    const { scale } = this;
    let free = -Infinity, last = "";
    for (const row of rows) {
      const x = this.xs[row.index], isHead = row.index === this.step;
      const text = this.isTimed ? row.time.toFixed(row.time < 100 ? 1 : 0) : String(numberOf(this.run, row.index));
      if (!isHead && text === last) continue;
      const room = text.length * 6.6 * scale + 10 * scale;
      if (!isHead && (x - room / 2 < free || Math.abs(x - this.xs[this.step]) < room + 8 * scale)) continue;
      if (isHead) out.push(`<rect class="knob" x="${x - room / 2}" y="${4 * scale}" width="${room}" height="${17 * scale}" rx="${8 * scale}"/>`);
      out.push(`<text class="${isHead ? "knob" : "tick"}" x="${x}" y="${17 * scale}">${text}</text>`);
      free = x + room / 2;
      last = text;
    }
  }
}

function hasLabel(row) {
  return !["+", "-", "s", "r"].includes(row.shape) && !(row.lane === NETWORK && row.bar) && !row.text.endsWith(", for traces only");
}

function lowerBound(values, wanted) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < wanted) low = middle + 1; else high = middle;
  }
  return low;
}

/** Returns the part of the text that fits into the width, or an empty string if that part would be too short. */
function fit(text, width, scale) {
  const most = Math.floor(width / (6.5 * scale));
  if (text.length <= most) return text;
  return most >= 8 ? text.slice(0, most - 1) + "…" : "";
}

function cross(x, y, size, classes) {
  return `<path class="${classes}" d="M${x - size} ${y - size}l${2 * size} ${2 * size}M${x + size} ${y - size}l${-2 * size} ${2 * size}"/>`;
}

function tip(x, y, sign, scale, color = "none") {
  const size = 4 * scale;
  return `<path class="tip ${color}" d="M${x - size} ${y - sign * size * 1.6}h${2 * size}l${-size} ${sign * size * 1.9}z"/>`;
}
