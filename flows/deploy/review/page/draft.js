// What a reviewer says of an item until it is judged. A draft stays in this browser, so a reload finds it again.
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const inOrder = (spans) => [...spans].sort((a, b) => (a.doc_id < b.doc_id ? -1 : a.doc_id > b.doc_id ? 1 : a.start - b.start || a.end - b.end));
const spanOf = ({ doc, start, end }) => ({ doc_id: doc, start, end });
const touches = (one, other) => one.doc_id === other.doc_id && one.start < other.end && other.start < one.end;

export const EDITED = ["query", "answer", "evidence", "equivalents"];

export class Draft {
  constructor(view, said) {
    const { edit, reasons, note } = said ?? {};
    this.view = view;
    for (const field of EDITED) this[field] = edit?.[field] ?? view[field] ?? null;
    this.reasons = reasons ?? [];
    this.note = note ?? "";
  }

  // What differs from the item; null where nothing does. A field that must not be empty is left as it was where it is.
  get edit() {
    const changed = EDITED.filter((field) => !this.empty.includes(field) && !same(this[field], this.view[field] ?? null));
    return changed.length ? Object.fromEntries(changed.map((field) => [field, this[field].trim?.() ?? this[field]])) : null;
  }

  // The fields that the item has, and the draft no longer has.
  get empty() {
    return ["query", "answer", "evidence"].filter((field) => this.view[field]?.length && !(this[field].trim?.() ?? this[field]).length);
  }

  get plain() {
    return { edit: this.edit, reasons: this.reasons, note: this.note };
  }

  // Add a span to the evidence or the equivalents, in place of those of the list that it shares text with.
  mark(field, place) {
    const span = spanOf(place);
    this[field] = inOrder([...this[field].filter((one) => !touches(one, span)), span]);
  }

  // Remove from both lists what shares text with the place.
  unmark(place) {
    for (const field of ["evidence", "equivalents"]) this[field] = this[field].filter((one) => !touches(one, spanOf(place)));
  }

  remove(field, span) {
    this[field] = this[field].filter((one) => one !== span);
  }

  has(field, place) {
    return this[field].some((one) => same(one, spanOf(place)));
  }

  toggle(reason) {
    this.reasons = this.reasons.includes(reason) ? this.reasons.filter((one) => one !== reason) : [...this.reasons, reason];
  }

  reset() {
    for (const field of EDITED) this[field] = this.view[field] ?? null;
  }

  get marks() {
    return ["evidence", "equivalents"].flatMap((field) =>
      (this[field] ?? []).map(({ doc_id, start, end }) => ({ doc: doc_id, start, end, kind: field })));
  }
}
