// Marking text by keys: a selection that grows and moves by words, sentences or characters. The mouse does it by itself.
const segments = (passage, granularity) => {
  const language = document.documentElement.lang || "en";
  const string = passage.points.join("");
  const spans = [];
  let place = passage.start;
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity }).segment(string)) {
    const own = [...segment];
    const lead = own.findIndex((point) => point.trim());
    if (lead >= 0 && (granularity !== "word" || isWordLike)) {
      const end = own.findLastIndex((point) => point.trim()) + 1;
      spans.push({ start: place + lead, end: place + end });
    }
    place += own.length;
  }
  return spans;
};

export class Marking {
  constructor(passage, span) {
    this.passage = passage;
    const sentences = segments(passage, "sentence");
    const { start, end } = span ?? sentences[0] ?? { start: passage.start, end: passage.end };
    [this.start, this.end] = [Math.max(start, passage.start), Math.min(end, passage.end)];
    this.show();
  }

  show() {
    this.passage.select(this);
    this.passage.reveal(this);
  }

  // Whether the key meant something.
  press({ key, shiftKey, ctrlKey, altKey }) {
    const forward = key === "ArrowRight" || key === "ArrowDown";
    if (key === "ArrowUp" || key === "ArrowDown") this.#sentence(forward);
    else if (key === "ArrowLeft" || key === "ArrowRight") this.#border(shiftKey ? "start" : "end", forward, ctrlKey || altKey);
    else return false;
    this.show();
    return true;
  }

  #sentence(forward) {
    const all = segments(this.passage, "sentence");
    const next = forward ? all.find(({ end }) => end > this.end) : all.findLast(({ start }) => start < this.start);
    if (next) [this.start, this.end] = [next.start, next.end];
  }

  // One border moves by a word, or by a character; the other stays.
  #border(side, forward, byCharacter) {
    const places = byCharacter ? [this[side] + (forward ? 1 : -1)] : segments(this.passage, "word").map((word) => word[side]);
    const next = forward ? places.find((place) => place > this[side]) : places.findLast((place) => place < this[side]);
    if (next === undefined || next < this.passage.start || next > this.passage.end) return;
    if (side === "end" ? next > this.start : next < this.end) this[side] = next;
  }
}
