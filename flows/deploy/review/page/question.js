// The left side: the query, the answer and what is marked, to read or to edit.
import { button, byId, count, el, text } from "./dom.js";

const NAMES = { evidence: "Evidence", equivalents: "Also answered here" };

export class Question {
  constructor(review) {
    this.review = review;
  }

  get editing() {
    return this.form?.isConnected ?? false;
  }

  render() {
    const { view, draft, critic } = this.review.shown;
    if (this.editing && this.view === view) return this.#marked();
    this.view = view;
    this.form = null;
    this.lists = el("div");
    byId("question").replaceChildren(
      el("p", { className: "tags" }, ...view.tags.map((tag) => el("span", { className: "tag", textContent: tag }))),
      text("h1", "query", draft.query),
      ...this.#answer(draft),
      ...this.#parts(view),
      this.lists,
      ...(critic?.length ? [el("p", { className: "critic" }, ...this.review.opinion(critic))] : []));
    return this.#marked();
  }

  edit() {
    if (this.editing) return this.stop();
    if (!this.review.kind.editable) return undefined;
    const { draft } = this.review.shown;
    const stop = button("Done", "Esc", () => this.stop());
    const reset = button("As it was", "", () => {
      draft.reset();
      this.stop();
      this.review.changed();
    });
    this.form = el("div", { className: "edit" }, this.#field("query", "Query"), draft.view.answer == null ? null : this.#field("answer", "Answer"), el("p", { className: "tools" }, stop, reset));
    byId("question").querySelectorAll("h1, .answer, .none").forEach((part) => part.remove());
    this.lists.before(this.form);
    this.form.querySelector("textarea").focus();
    return undefined;
  }

  stop() {
    this.form.remove();
    this.render();
  }

  #answer({ answer, view }) {
    // What the test set holds as the answer stands beside an answer or passage to grade.
    const label = (textContent) => el("p", { className: "label", textContent });
    const reference = view.reference ? [label("Reference answer"), text("p", "answer reference", view.reference)] : [];
    if (view.answer === undefined) return reference;
    if (view.reference) return [label("Answer to grade"), text("p", "answer", answer), ...reference];
    return [answer === null ? el("p", { className: "none", textContent: "No answer: the documents are said not to hold it." }) : text("p", "answer", answer)];
  }

  // Earlier turns or assertions, each with its evidence.
  #parts({ parts = [] }) {
    return parts.flatMap(({ label, text: said, evidence }) => [
      el("p", { className: "label", textContent: label }),
      text("p", "part", said),
      el("ul", { className: "marked" }, ...evidence.map((span) => el("li", {}, this.#see(span)))),
    ]);
  }

  #field(field, label) {
    const { draft } = this.review.shown;
    const area = el("textarea", { value: draft[field], dir: "auto", rows: field === "query" ? 3 : 6 });
    area.addEventListener("input", () => {
      draft[field] = area.value;
      this.review.changed();
    });
    return el("label", {}, el("span", { className: "label", textContent: label }), area);
  }

  // The spans of the draft, each with a way to remove it and to see it.
  #marked() {
    const { draft, view } = this.review.shown;
    this.lists.replaceChildren(...Object.keys(NAMES).filter((field) => draft[field]?.length).flatMap((field) => [
      el("p", { className: "label", textContent: NAMES[field] }),
      el("ul", { className: `marked ${field}` }, ...draft[field].map((span) => this.#span(field, span))),
    ]));
    const edited = draft.edit ? el("p", { className: "edited", textContent: `Edited: ${Object.keys(draft.edit).join(", ")}` }) : "";
    this.lists.append(edited);
    this.lists.hidden = !view.evidence;
  }

  #span(field, span) {
    const { draft } = this.review.shown;
    const remove = el("button", { type: "button", className: "quiet remove", textContent: "×", title: "Remove this mark" });
    remove.setAttribute("aria-label", `Remove from ${NAMES[field].toLowerCase()}`);
    remove.addEventListener("click", () => {
      draft.remove(field, span);
      this.review.changed();
    });
    return el("li", {}, this.#see(span), remove);
  }

  #see(span) {
    const where = { doc: span.doc_id, start: span.start, end: span.end };
    const see = el("button", { type: "button", className: "quiet see", title: `Characters ${count(span.start)}–${count(span.end)}` }, text("span", "", this.review.windows.excerpt(where)));
    see.addEventListener("click", () => this.review.windows.reveal(where));
    return see;
  }
}
