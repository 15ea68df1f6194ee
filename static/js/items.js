// Items of a lesson. <step-order>: the steps of an ordering quiz move up and down by buttons. In the paper work, a right
// number leads on to the next open box. Without this script every step has a select for its place, and each box its button.

class StepOrder extends HTMLElement {
  connectedCallback() {
    this.list = this.querySelector("ul");
    this.status = this.querySelector("[role=status]");
    this.dataset.ready = "";
    for (const place of this.querySelectorAll(".ordering-place")) place.hidden = true;
    for (const part of this.querySelectorAll(".ordering-number, .ordering-moves")) part.hidden = false;
    const focused = this.querySelector("select[data-focus]");
    if (focused) {
      focused.removeAttribute("data-focus");
      this.querySelector("[data-move=down]").setAttribute("data-focus", "");
    }
    this.addEventListener("click", (event) => this.onClick(event));
    this.markEnds();
  }

  onClick(event) {
    const button = event.target.closest("[data-move]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const step = button.closest("li");
    if (button.dataset.move === "up") step.previousElementSibling.before(step);
    else step.nextElementSibling.after(step);
    button.focus(); // moving an element takes the focus off it
    this.number();
    this.status.textContent = this.dataset.said
      .replace("{place}", [...this.list.children].indexOf(step) + 1)
      .replace("{total}", this.list.children.length);
  }

  // The selects stay empty until something moved: to send the order as it was shown is no answer.
  number() {
    [...this.list.children].forEach((step, index) => {
      step.querySelector(".ordering-number").textContent = index + 1;
      step.querySelector("select").value = String(index + 1);
    });
    this.markEnds();
  }

  // aria-disabled, not disabled: a button that loses the focus by being pressed strands a keyboard.
  markEnds() {
    for (const step of this.list.children) {
      step.querySelector("[data-move=up]").setAttribute("aria-disabled", !step.previousElementSibling);
      step.querySelector("[data-move=down]").setAttribute("aria-disabled", !step.nextElementSibling);
    }
  }
}

customElements.define("step-order", StepOrder);

// After site.js has put the focus on what was swapped in. Who is elsewhere by now stays there.
document.addEventListener("htmx:afterSettle", (event) => {
  const box = event.detail.elt;
  if (!box.matches(".paper-box.is-right") || !box.contains(document.activeElement)) return;
  const boxes = [...box.parentElement.querySelectorAll(".paper-box")];
  const at = boxes.indexOf(box);
  const next = [...boxes.slice(at + 1), ...boxes.slice(0, at)].find((each) => !each.matches(".is-right"));
  next?.querySelector("input[name=response]").focus();
});
