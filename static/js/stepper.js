// <worked-steps>: an ordered list becomes a stepper, one step at a time, forwards and backwards.
// Without this script, and in print, the list shows all of its steps.

class WorkedSteps extends HTMLElement {
  connectedCallback() {
    if (this.bar) return;
    this.steps = [...this.querySelectorAll(":scope > ol > li")];
    if (this.steps.length < 2) return;
    this.at = 0;
    this.all = false;
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
    bar.append(this.back, this.next, this.count, this.meter, this.toggle);
    return bar;
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
    this.show();
  }

  show() {
    this.steps.forEach((step, index) => (step.hidden = !this.all && index !== this.at));
    // aria-disabled, not disabled: a button that loses the focus by being pressed strands a keyboard.
    this.back.setAttribute("aria-disabled", this.all || this.at === 0);
    this.next.setAttribute("aria-disabled", this.all || this.at === this.steps.length - 1);
    this.meter.value = this.at + 1;
    this.count.textContent = this.all
      ? `All ${this.steps.length} steps`
      : `Step ${this.at + 1} of ${this.steps.length}: ${this.steps[this.at].querySelector("[data-step-title]").textContent}`;
    this.toggle.textContent = this.all ? "One step at a time" : "Show all steps";
  }
}

customElements.define("worked-steps", WorkedSteps);
