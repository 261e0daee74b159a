// A window of a document with marks. Places count characters (code points) of the document, as spans do: an emoji is one.
import { count, el, text } from "./dom.js";
import { ask } from "./server.js";

const MORE = 2_000; // characters fetched when somebody scrolls to an end
const NEAR_END = 80; // pixels

const points = (string) => [...string];

export class Passage {
  constructor(window, role) {
    this.doc = window.doc;
    this.role = role;
    this.span = { doc: window.doc, start: window.start, end: window.end };
    this.start = window.start;
    this.length = window.length;
    this.points = points(window.text);
    this.marks = [];
    this.box = el("div", { className: "passage", tabIndex: 0, dir: "auto" });
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-label", `${role === "near" ? "Near passage" : "Passage"} of ${window.title}`);
    this.box.addEventListener("scroll", () => this.#extend());
    this.place = el("p", { className: "source" }, text("bdi", "", window.source), window.where ? " · " : null, window.where ? text("bdi", "", window.where) : null);
    this.element = el("article", { className: `window ${role}` }, el("p", { className: "label" }, text("bdi", "", window.title)), this.box, this.place);
    this.box.passage = this;
  }

  get end() {
    return this.start + this.points.length;
  }

  slice(start, end) {
    return this.points.slice(start - this.start, end - this.start).join("");
  }

  holds(span) {
    return span.doc === this.doc && span.start < this.end && span.end > this.start;
  }

  // Marks are {doc, start, end, kind}; text under marks of two kinds shows both.
  render(marks) {
    this.marks = marks.filter((mark) => this.holds(mark));
    const inside = (place) => Math.min(Math.max(place, this.start), this.end);
    const borders = [...new Set([this.start, this.end, ...this.marks.flatMap((mark) => [inside(mark.start), inside(mark.end)])])].sort((a, b) => a - b);
    const parts = borders.slice(1).map((end, number) => {
      const start = borders[number];
      const kinds = this.marks.filter((mark) => mark.start < end && mark.end > start).map((mark) => mark.kind);
      const said = this.slice(start, end);
      return kinds.length ? el("mark", { className: [...new Set(kinds)].join(" "), textContent: said }) : said;
    });
    const top = this.box.scrollTop;
    this.box.replaceChildren(...parts);
    this.box.scrollTop = top;
    this.box.classList.toggle("from-start", this.start === 0);
    this.box.classList.toggle("to-end", this.end === this.length);
  }

  // Scroll to the first mark, or to the span, without moving the page.
  reveal(span) {
    const target = span ? this.#range(span.start, span.end).getBoundingClientRect() : this.box.querySelector("mark")?.getBoundingClientRect();
    if (!target) return;
    const box = this.box.getBoundingClientRect();
    if (span && target.top > box.top + 8 && target.bottom < box.bottom - 8) return;
    this.box.scrollTop += target.top - box.top - Math.min(96, box.height / 4);
  }

  // The span that is selected in this passage, without white space around it; null if none is.
  selected() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!this.box.contains(range.startContainer) || !this.box.contains(range.endContainer)) return null;
    let [start, end] = [this.#place(range.startContainer, range.startOffset, "floor"), this.#place(range.endContainer, range.endOffset, "ceil")];
    while (start < end && !this.slice(start, start + 1).trim()) start += 1;
    while (start < end && !this.slice(end - 1, end).trim()) end -= 1;
    return start < end ? { doc: this.doc, start, end } : null;
  }

  select({ start, end }) {
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(this.#range(start, end));
  }

  // A place between the two halves of a character becomes the one before or after it.
  #place(node, offset, side) {
    const range = document.createRange();
    range.setStart(this.box, 0);
    range.setEnd(node, offset);
    const before = range.toString();
    const split = /[\ud800-\udbff]$/.test(before);
    return this.start + points(before).length - (split && side === "floor" ? 1 : 0);
  }

  #range(start, end) {
    const range = document.createRange();
    const walker = document.createTreeWalker(this.box, NodeFilter.SHOW_TEXT);
    let [place, started] = [this.start, false];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const own = points(node.data);
      const offset = (at) => own.slice(0, at - place).join("").length;
      if (!started && start < place + own.length) {
        range.setStart(node, offset(start));
        started = true;
      }
      if (end <= place + own.length) {
        range.setEnd(node, offset(end));
        break;
      }
      place += own.length;
    }
    return range;
  }

  #extend() {
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    if (scrollTop < NEAR_END && this.start > 0) this.#fetch(Math.max(0, this.start - MORE), this.start);
    else if (scrollHeight - scrollTop - clientHeight < NEAR_END && this.end < this.length) this.#fetch(this.end, Math.min(this.length, this.end + MORE));
  }

  async #fetch(start, end) {
    if (this.fetching) return;
    this.fetching = true;
    try {
      const more = points((await ask("text", { doc: this.doc, start, end })).text);
      const height = this.box.scrollHeight;
      const before = end === this.start;
      this.points = before ? [...more, ...this.points] : [...this.points, ...more];
      if (before) this.start = start;
      const span = this.selected();
      this.render(this.allMarks?.() ?? this.marks);
      if (before) this.box.scrollTop += this.box.scrollHeight - height;
      if (span) this.select(span);
    } catch {
      // Scrolling again asks again.
    } finally {
      this.fetching = false;
    }
  }

  says(span) {
    return `characters ${count(span.start)}–${count(span.end)}`;
  }
}
