// The right side: the passages of the item with what is marked in them, and near passages when they are asked for.
import { button, byId, cut, el } from "./dom.js";
import { Marking } from "./marking.js";
import { Passage } from "./passage.js";
import { Refusal, ask } from "./server.js";

const COUNTING_SECONDS = 300; // the first search of a large corpus counts its words

export class Windows {
  constructor(review) {
    this.review = review;
    this.passages = [];
    document.addEventListener("selectionchange", () => this.review.shown && this.review.controls.marked());
  }

  open() {
    const { view } = this.review.shown;
    this.marking = null;
    this.near = null;
    this.passages = view.passages.map((window) => this.#passage(window, window.role ?? "evidence"));
    this.nears = el("div", { className: "nears" });
    byId("windows").replaceChildren(...this.passages.map(({ element }) => element), this.nears);
    if (view.near) this.nears.append(button("Near passages", "n", () => this.next()));
    this.render();
    for (const passage of this.passages) passage.reveal();
    this.review.question.render(); // excerpts are read from the passages
  }

  #passage(window, role) {
    const passage = new Passage(window, role);
    passage.allMarks = () => this.marks;
    return passage;
  }

  get marks() {
    const { draft, view } = this.review.shown;
    const parts = (view.parts ?? []).flatMap(({ evidence }) => evidence.map(({ doc_id: doc, start, end }) => ({ doc, start, end, kind: "part" })));
    return [...(view.evidence ? draft.marks : view.marks ?? []), ...parts];
  }

  render() {
    for (const passage of this.passages) passage.render(this.marks);
  }

  excerpt(span) {
    const passage = this.passages.find((one) => one.doc === span.doc && one.start <= span.start && one.end >= span.end);
    return passage ? cut(passage.slice(span.start, span.end).trim(), 60) : `characters ${span.start}–${span.end}`;
  }

  reveal(span) {
    const passage = this.passages.find((one) => one.holds(span));
    passage?.element.scrollIntoView({ block: "nearest" });
    passage?.reveal(span);
  }

  // Fetch the near passages, then go from one to the next.
  async next() {
    const { view, draft } = this.review.shown;
    if (!view.near) return;
    if (!this.near) {
      this.nears.replaceChildren(el("p", { className: "label", role: "status", textContent: "Searching near passages" }));
      try {
        const found = await ask("near", { item: view.item, query: draft.query }, COUNTING_SECONDS);
        if (this.review.shown.view !== view) return;
        this.near = found.passages.map((window) => this.#passage(window, "near"));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.nears.replaceChildren(button("Near passages", "n", () => this.next()), el("p", { className: "hint", textContent: error.message }));
        return;
      }
      this.passages.push(...this.near);
      this.nears.replaceChildren(
        el("h2", { textContent: this.near.length ? "Near passages" : "No near passages" }),
        el("p", { className: "hint", textContent: this.near.length ? "A search finds these for the query. Does one of them answer it too?" : "A search finds no other passage with words of the query." }),
        ...this.near.map((passage) => {
          passage.element.append(button("Also answered here", "a", () => this.mark("equivalents", passage.span)));
          return passage.element;
        }));
      this.render();
    }
    const here = this.near.findIndex(({ box }) => box === document.activeElement);
    const passage = this.near[(here + 1) % this.near.length];
    passage?.box.focus({ preventScroll: true });
    passage?.element.scrollIntoView({ block: "nearest" });
  }

  // The passage that has the focus, and what is selected in it.
  get focused() {
    return document.activeElement?.passage ?? null;
  }

  get selected() {
    for (const passage of this.passages) {
      const span = passage.selected();
      if (span) return span;
    }
    return null;
  }

  // Begin to mark by keys: in the passage that has the focus, or in the first.
  begin() {
    if (!this.review.kind.editable) return;
    const passage = this.focused ?? this.passages[0];
    if (!passage) return;
    const span = this.selected ?? passage.marks[0] ?? null;
    passage.element.scrollIntoView({ block: "nearest" });
    passage.box.focus({ preventScroll: true });
    this.marking = new Marking(passage, span && passage.holds(span) ? span : null);
  }

  stop() {
    this.marking = null;
    getSelection().removeAllRanges();
  }

  mark(field, span = this.selected ?? (this.focused?.role === "near" ? this.focused.span : null)) {
    const { draft, view } = this.review.shown;
    if (!span || !view.evidence || !this.review.kind.editable) return;
    if (draft.has(field, span)) draft.unmark(span);
    else draft.mark(field, span);
    this.stop();
    this.review.changed();
  }

  unmark() {
    const span = this.selected;
    if (!span || !this.review.kind.editable) return;
    this.review.shown.draft.unmark(span);
    this.stop();
    this.review.changed();
  }
}
