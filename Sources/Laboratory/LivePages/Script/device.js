// The device: the screens of the program. Each element brings the steps that it sends, so no program is named here.

const STATES = { idle: "not fetched", fetching: "fetching", loaded: "loaded", failed: "failed" };

/** The time in which a click follows the release, in milliseconds. */
const CLICK = 50;

class Device {
  /** @param send called with the steps of an element */
  constructor(send, picture) {
    Object.assign(this, { send, picture });
    this.glass = element("div", { class: "panes" });
    this.node = element("section", { class: "device", "aria-labelledby": "device-title" },
      element("h2", { id: "device-title", class: "spoken" }, "Device"), this.glass,
      element("p", { class: "quiet present" }, "The device shows the present, not the step of the timeline."));
    // A row that is replaced between press and release gets no click, so new screens wait for the release.
    this.glass.addEventListener("pointerdown", ({ isPrimary, button }) => { this.isPressed = isPrimary && button === 0; });
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(() => this.release(), CLICK));
  }

  release() {
    this.isPressed = false;
    if (this.held) this.show(this.held);
  }

  show(message) {
    this.held = this.isPressed ? message : null;
    if (this.isPressed) return;
    const { screens, isIdle } = message;
    const focused = document.activeElement?.dataset?.key, typed = this.glass.querySelector("input")?.value;
    this.glass.replaceChildren(...screens.map((screen) => this.pane(screen)));
    if (screens.length === 0) this.glass.append(element("p", { class: "quiet pane" }, "The app shows nothing."));
    this.node.setAttribute("aria-busy", !isIdle);
    this.node.classList.toggle("phone", screens.length < 2);
    if (typed) this.glass.querySelector("input")?.setAttribute("value", typed);
    if (focused) this.glass.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  pane(screen) {
    const by = (...roles) => screen.buttons.filter((button) => roles.includes(button.role));
    const bar = element("div", { class: "bar" }, ...by("back").map((button) => this.button(button, "back", "‹ ")),
      element("h3", {}, screen.title), screen.isLoading ? this.spinner() : null);
    const list = screen.rows.length ? element("ul", { class: "list" }, ...screen.rows.map((row) => this.row(row))) : null;
    const tools = by("tool", "input");
    const tabs = by("tab", "current");
    return element("div", { class: `pane ${screen.hasPicture ? "with-picture" : ""}` }, bar,
      screen.hasPicture ? this.glassOf(screen) : null, list,
      screen.message ? element("p", { class: "message", role: "status" }, screen.message) : null,
      tools.length ? element("div", { class: "tools" }, ...tools.map((button) =>
        button.role === "input" ? this.field(button) : this.button(button))) : null,
      tabs.length ? element("div", { class: "tabs" }, ...tabs.map((button) => {
        const node = this.button(button, "tab");
        if (button.role === "current") node.setAttribute("aria-current", "page");
        return node;
      })) : null,
      screen.alert ? this.alert(screen.alert, by("dismiss")) : null);
  }

  glassOf(screen) {
    const image = screen.picture
      ? element("img", { src: this.picture(screen.picture), alt: screen.title })
      : element("div", { class: "placeholder" }, screen.isPlaceholder ? (screen.isLoading ? "loading" : "no picture") : "nothing selected");
    return element("div", { class: "view" }, image, screen.problem ? this.alert(screen.problem, []) : null);
  }

  row(row) {
    const thumb = row.picture ? element("img", { class: "thumb", src: this.picture(row.picture), alt: "" })
      : element("span", { class: `thumb ${row.state ?? "none"}` }, row.state === "fetching" ? this.spinner() : null);
    const words = element("span", { class: "words" }, element("b", {}, row.title),
      row.detail || row.state ? element("small", {}, row.detail ?? STATES[row.state]) : null);
    const parts = row.state ? [thumb, words] : [words];
    const tap = row.steps.length
      ? element("button", { type: "button", class: "tap", "data-key": `row ${row.title}`, "aria-current": row.isSelected ? "true" : null }, ...parts)
      : element("div", { class: "tap" }, ...parts);
    if (row.steps.length) tap.addEventListener("click", () => this.send(row.steps));
    let star = null;
    if (row.second) {
      star = element("button", { type: "button", class: "star", "aria-label": row.second.title, "aria-pressed": String(row.isMarked),
        "data-key": `star ${row.title}` }, row.isMarked ? "★" : "☆");
      star.addEventListener("click", () => this.send(row.second.steps));
    }
    return element("li", {}, tap, star);
  }

  button(button, kind = "", mark = "") {
    const node = element("button", { type: "button", class: kind, "data-key": `button ${button.title}` }, mark + button.title);
    node.addEventListener("click", () => this.send(button.steps));
    return node;
  }

  field(button) {
    const input = element("input", { type: "text", "aria-label": button.title, placeholder: button.title, "data-key": `field ${button.title}` });
    const form = element("form", {}, input, element("button", { type: "submit" }, "Go"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [step] = button.steps;
      this.send([{ ...step, control: step.control + input.value }]);
    });
    return form;
  }

  alert(text, buttons) {
    return element("div", { class: "alert", role: "alert" }, element("p", {}, text), ...buttons.map((button) => this.button(button)));
  }

  spinner() { return element("span", { class: "spinner", role: "img", "aria-label": "in flight" }); }

  /** Focuses the next or the previous row. */
  focusRow(direction) {
    const rows = [...this.glass.querySelectorAll("button.tap")];
    const at = rows.indexOf(document.activeElement);
    rows[at < 0 ? (direction > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(at + direction, rows.length - 1))]?.focus();
  }

  goBack() { (this.glass.querySelector(".alert button") ?? this.glass.querySelector("button.back"))?.click(); }
}
