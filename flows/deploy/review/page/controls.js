// The bar below: verdicts or grades, reasons, what to do with marked text; and the keys of the page.
import { button, byId, count, el } from "./dom.js";

// Markdown of paragraphs and lists.
const paragraphs = (markdown) => markdown.split(/\n\n+/).map((part) => {
  const items = part.split(/^- /m).slice(1);
  return items.length ? el("ul", {}, ...items.map((textContent) => el("li", { textContent }))) : el("p", { textContent: part });
});

const TYPED = /INPUT|TEXTAREA|SELECT/;

export class Controls {
  constructor(review) {
    this.review = review;
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("help").addEventListener("click", () => this.help());
    byId("controls").addEventListener("click", (event) => this.review.shown.left && event.stopPropagation(), true);
  }

  // The grades of what is graded; null where the verdict is good or bad.
  get #scale() {
    const { scale } = this.review.kind;
    return scale.length ? scale.map(({ code, label }) => ({ grade: Number(code), label })) : null;
  }

  render() {
    const { shown, open } = this.review;
    const { draft, mine } = shown;
    const grades = (this.#scale ?? []).map(({ grade, label }) =>
      button(label, String(grade), () => this.review.judge({ grade }), { className: "grade", ariaPressed: String(mine?.grade === grade) }));
    const verdicts = this.#scale ? grades : [
      button(draft.edit ? "Good as edited" : "Good", "g", () => this.good(), { className: "good", disabled: draft.empty.length > 0, title: draft.empty.length ? `There is no ${draft.empty[0]} left` : "", ariaPressed: String(mine?.verdict === "good") }),
      button("Bad", "b", () => this.bad(), { className: "bad", ariaPressed: String(mine?.verdict === "bad"), ariaExpanded: String(!byId("reasons").hidden) }),
    ];
    const editable = this.review.kind.editable ? [button("Edit", "e", () => this.review.question.edit()), button("Mark text", "m", () => this.review.windows.begin())] : [];
    byId("verdicts").replaceChildren(
      el("div", { className: "main" }, ...verdicts),
      el("div", { className: "more" }, ...editable,
        button("Skip", "s", () => this.review.skip(), { disabled: shown !== open }),
        button("Undo", "u", () => this.review.undo(), { disabled: !this.review.history.length }),
        button("", "←", () => this.review.back(-1), { className: "icon", ariaLabel: "Earlier item", disabled: !this.review.history.length }),
        button("", "→", () => this.review.back(1), { className: "icon", ariaLabel: "Later item", disabled: shown === open })));
    // Whoever judges by a text has it shown once.
    const read = `ragset-review/read/${this.review.reviewer}/${this.review.kind.guideline}`;
    if (!localStorage.getItem(read)) this.help();
    localStorage.setItem(read, "yes");
    if (this.view !== shown.view) byId("reasons").hidden = true;
    this.view = shown.view;
    if (!byId("reasons").hidden) this.#reasons();
    this.marked();
  }

  good() {
    if (this.review.shown.draft.empty.length) return;
    byId("reasons").hidden = true;
    this.review.judge({ verdict: "good" });
  }

  bad() {
    byId("reasons").hidden = false;
    this.#reasons();
    this.render();
  }

  #reasons() {
    const { draft } = this.review.shown;
    const panel = byId("reasons");
    if (panel.view !== this.review.shown.view || !panel.childElementCount) {
      panel.view = this.review.shown.view;
      panel.note = el("input", { value: draft.note, maxLength: 2000, placeholder: "Note", ariaLabel: "Note", dir: "auto" });
      panel.note.addEventListener("input", () => {
        draft.note = panel.note.value;
        this.review.changed();
      });
      panel.save = button("Save as bad", "Enter", () => this.#save(), { className: "bad" });
      panel.list = el("div", { className: "list" });
      panel.replaceChildren(panel.list, el("div", { className: "noting" }, panel.note, panel.save));
    }
    const reasons = this.review.kind.reasons.map(({ code, label }, place) =>
      button(label, String(place + 1), () => this.#toggle(code), { className: "reason", ariaPressed: String(draft.reasons.includes(code)) }));
    panel.list.replaceChildren(...reasons);
    panel.save.disabled = !this.#complete;
  }

  // A reason is needed, and "other" needs a note.
  get #complete() {
    const { draft } = this.review.shown;
    return draft.reasons.length > 0 && (!draft.reasons.includes("other") || draft.note.trim() !== "");
  }

  #toggle(code) {
    const { draft } = this.review.shown;
    draft.toggle(code);
    this.review.changed();
    if (code === "other" && draft.reasons.includes("other")) byId("reasons").note.focus();
  }

  #save() {
    if (!this.#complete) return;
    byId("reasons").hidden = true;
    document.activeElement?.blur();
    this.review.judge({ verdict: "bad" });
  }

  // Text is selected, or no longer.
  marked() {
    const panel = byId("marking");
    const span = this.review.kind.editable && this.review.shown.view.evidence ? this.review.windows.selected : null;
    panel.hidden = !span;
    if (!span) return;
    const { windows } = this.review;
    panel.replaceChildren(
      el("span", { className: "hint" }, `${count(span.end - span.start)} characters marked`),
      button("Evidence", "Enter", () => windows.mark("evidence", span)),
      button("Also answered here", "a", () => windows.mark("equivalents", span)),
      button("Remove marks", "x", () => windows.unmark()),
      button("Cancel", "Esc", () => windows.stop()),
      windows.marking ? el("span", { className: "hint keys" }, "↑ ↓ sentence · ← → end · Shift ← → start · Ctrl: by character") : null);
    // A tap on a button must not drop the selection first.
    panel.onpointerdown = (event) => event.preventDefault();
  }

  help() {
    const kinds = Object.values(this.review.about.kinds);
    const kind = this.review.shown ? this.review.kind : kinds[0];
    const lines = [
      ...(kind.scale.length ? kind.scale.map(({ code, label }) => [code, label]) : [["g", "good"], ["b", "bad: then reasons by their numbers, and Enter"]]),
      ...(kind.editable ? [["e", "edit query and answer; Esc when done"], ["m", "mark text: arrows choose it, Enter makes it evidence, a says “also answered here”, x removes marks"], ["n", "near passages, and on to the next; a: also answered here"]] : []),
      ["s", "skip for now"], ["u", "undo the last judgement, or that of the item shown"], ["← →", "earlier items, and back"], ["?", "this page"],
    ];
    byId("guide-title").textContent = kind.title;
    byId("guideline").replaceChildren(...paragraphs(kind.text), el("p", { className: "source", textContent: kind.guideline }));
    byId("keys").replaceChildren(...lines.flatMap(([key, said]) => [el("dt", {}, el("kbd", { textContent: key })), el("dd", { textContent: said })]));
    byId("guide").showModal();
    byId("guide").scrollTop = 0;
  }

  #key(event) {
    const { review } = this;
    if (!review.shown || document.querySelector("dialog[open]") || event.metaKey) return;
    const typing = TYPED.test(event.target.tagName);
    if (typing && event.key !== "Escape" && event.key !== "Enter") return;
    if (this.#act(event, typing)) event.preventDefault();
  }

  // Whether the key meant something.
  #act(event, typing) {
    const { review } = this;
    const { windows, question } = review;
    const { key } = event;
    const reasons = !byId("reasons").hidden;
    if ((byId("item").hidden || review.shown.left) && !/^(u|\?|ArrowLeft|ArrowRight)$/.test(key)) return false;
    if (key === "Escape") return this.#leave(typing);
    if (typing) {
      if (event.target === byId("reasons").note) this.#save();
      else if (event.ctrlKey) question.stop();
      else return false;
      return true;
    }
    if (windows.marking && windows.selected && windows.marking.press(event)) return true;
    if (event.ctrlKey || event.altKey) return false;
    if (key === "Enter") {
      if (windows.selected) windows.mark("evidence");
      else if (reasons && event.target.tagName !== "BUTTON") this.#save();
      else return false;
      return true;
    }
    if (/^[0-9]$/.test(key)) return this.#number(Number(key));
    const act = {
      g: () => !this.#scale && this.good(),
      b: () => !this.#scale && this.bad(),
      e: () => question.edit(),
      m: () => windows.begin(),
      n: () => windows.next(),
      a: () => windows.mark("equivalents"),
      x: () => windows.unmark(),
      s: () => review.skip(),
      u: () => review.undo(),
      "?": () => this.help(),
      ArrowLeft: () => review.back(-1),
      ArrowRight: () => review.back(1),
    }[key];
    act?.();
    return Boolean(act);
  }

  #number(number) {
    if (this.#scale) {
      if (!this.#scale.some(({ grade }) => grade === number)) return false;
      this.review.judge({ grade: number });
      return true;
    }
    const reason = this.review.kind.reasons[number - 1];
    if (byId("reasons").hidden || !reason) return false;
    this.#toggle(reason.code);
    return true;
  }

  #leave(typing) {
    if (this.review.windows.selected) this.review.windows.stop();
    else if (this.review.question.editing) this.review.question.stop();
    else if (typing) document.activeElement.blur();
    else byId("reasons").hidden = true;
    return true;
  }
}
