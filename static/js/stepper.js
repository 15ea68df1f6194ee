// <worked-steps data-name="…">: an ordered list becomes a stepper, one step at a time, forwards and backwards.
// Without this script, and in print, the list shows all of its steps. Nothing moves by itself. The place is kept for as
// long as the tab is open.

class WorkedSteps extends HTMLElement {
  connectedCallback() {
    if (this.bar) return;
    this.steps = [...this.querySelectorAll(":scope > ol > li")];
    if (this.steps.length < 2) return;
    this.at = 0;
    this.all = false;
    this.recall();
    this.bar = this.makeBar();
    this.prepend(this.bar); // above the steps, which differ in height: it stays under the pointer
    this.dataset.stepping = "";
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Worked example, step by step");
    this.bar.addEventListener("keydown", (event) => this.onKey(event));
    this.show();
  }

  makeBar() {
    const bar = document.createElement("div");
    bar.className = "step-bar";
    this.back = this.makeButton("Back", () => this.go(this.at - 1));
    this.next = this.makeButton("Next", () => this.go(this.at + 1));
    this.next.classList.add("primary");
    this.toggle = this.makeButton("Show all steps", () => {
      this.all = !this.all;
      this.show();
    });
    this.count = document.createElement("span");
    this.count.className = "step-count";
    this.count.setAttribute("role", "status");
    this.meter = document.createElement("progress");
    this.meter.max = this.steps.length;
    this.meter.setAttribute("aria-hidden", "true");
    bar.append(this.back, this.next, this.count, this.meter, this.toggle, ...this.makeStages());
    return bar;
  }

  // A button for each part of the computation: it goes to the part's first step.
  makeStages() {
    this.stages = new Map();
    for (const step of this.steps) {
      const name = step.dataset.stage;
      if (!name || this.stages.has(name)) continue;
      const button = this.makeButton(name, () => this.go(this.steps.indexOf(step)));
      button.classList.add("step-jump");
      this.stages.set(name, button);
    }
    if (this.stages.size < 2) return [];
    const group = document.createElement("div");
    group.className = "step-stages";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Go to a part of the computation");
    group.append(...this.stages.values());
    return [group];
  }

  makeButton(text, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = text;
    button.addEventListener("click", action);
    return button;
  }

  onKey(event) {
    if (this.all || event.ctrlKey || event.altKey || event.metaKey) return;
    const forwards = getComputedStyle(this).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backwards = forwards === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const target = {
      [forwards]: this.at + 1,
      [backwards]: this.at - 1,
      Home: 0,
      End: this.steps.length - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target);
  }

  go(to) {
    if (to < 0 || to >= this.steps.length) return;
    this.at = to;
    if (this.all) this.steps[to].scrollIntoView(); // as the page scrolls: at once, where motion is not wanted
    this.show();
  }

  show() {
    this.steps.forEach((step, index) => (step.hidden = !this.all && index !== this.at));
    // aria-disabled, not disabled: a button that loses the focus by being pressed strands a keyboard.
    this.back.setAttribute("aria-disabled", this.all || this.at === 0);
    this.next.setAttribute("aria-disabled", this.all || this.at === this.steps.length - 1);
    this.meter.value = this.at + 1;
    const step = this.steps[this.at];
    this.stages.forEach((button, name) => {
      if (!this.all && name === step.dataset.stage) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.count.textContent = this.all
      ? `All ${this.steps.length} steps`
      : `Step ${this.at + 1} of ${this.steps.length}: ${step.querySelector("[data-step-title]").textContent}`;
    this.toggle.textContent = this.all ? "One step at a time" : "Show all steps";
    this.keep();
  }

  get key() {
    return `heed:steps:${location.pathname}#${this.dataset.name}`;
  }

  keep() {
    try {
      sessionStorage.setItem(this.key, JSON.stringify([this.at, this.steps.length, this.all]));
    } catch {
      // Storage may be full or forbidden: then a reload begins at the first step.
    }
  }

  // A place in a list of another length is of another edition of the example.
  recall() {
    try {
      const [at, count, all] = JSON.parse(sessionStorage.getItem(this.key)) ?? [];
      if (count !== this.steps.length || !Number.isInteger(at) || !this.steps[at]) return;
      [this.at, this.all] = [at, all === true];
    } catch {
      // As above.
    }
  }
}

customElements.define("worked-steps", WorkedSteps);
