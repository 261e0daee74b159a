// The review page: takes items from the server one by one, and turns keys into judgements.
import { Controls } from "./controls.js";
import { button, byId, count, cut, el, many, text } from "./dom.js";
import { Draft } from "./draft.js";
import { Outbox } from "./outbox.js";
import { Question } from "./question.js";
import { Refusal, ask, pause } from "./server.js";
import { signIn } from "./sign.js";
import { Windows } from "./windows.js";

const HOLD_SECONDS = 60;
const RETRY_SECONDS = 2;
const WAIT_SECONDS = 20; // until somebody who has run out of items asks again

class Review {
  constructor(about, reviewer) {
    this.about = about;
    this.reviewer = reviewer;
    this.history = about.mine; // the reviewer's judged items, the oldest first
    this.seen = new Map(); // records of this session, by item
    this.open = null; // the item to judge next, while an earlier one is shown again
    this.shown = null; // {view, draft, mine, critic}
    this.ahead = null; // the one after it, already asked for
    this.again = false; // whether what was skipped comes once more
    this.outbox = new Outbox(about.set, { changed: () => this.says(), saved: (record, answer) => this.saved(record, answer) });
    this.windows = new Windows(this);
    this.question = new Question(this);
    this.controls = new Controls(this);
  }

  get kind() {
    return this.about.kinds[this.shown.view.kind];
  }

  key(item) {
    return `ragset-review/${this.about.set}/draft/${this.reviewer}/${item}`;
  }

  async begin() {
    this.progress(this.about.progress);
    this.says();
    this.outbox.send();
    setInterval(() => this.hold(), HOLD_SECONDS * 1000);
    await this.advance();
  }

  async take() {
    const without = this.outbox.records.filter(({ undoes }) => !undoes).map(({ item }) => item);
    if (this.open) without.push(this.open.view.item);
    return ask("next", { reviewer: this.reviewer, without, again: this.again });
  }

  // Show the next item, as soon as there is one.
  async advance() {
    this.open = null;
    const turn = (this.turn = Symbol("turn"));
    for (let tries = 0; this.turn === turn; tries += 1) {
      try {
        const found = (await this.ahead) ?? (await this.take());
        this.ahead = null;
        if (this.turn !== turn) return;
        if (found.progress) this.progress(found.progress);
        if (found.view) {
          this.open = { view: found.view, draft: new Draft(found.view, JSON.parse(localStorage.getItem(this.key(found.view.item)))) };
          this.show(this.open);
          this.ahead = this.take().then((next) => (next.view ? next : null)).catch(() => null);
          return;
        }
        this.rest(found);
        await pause(WAIT_SECONDS);
      } catch (error) {
        this.ahead = null;
        if (!(error instanceof Refusal)) throw error;
        if (tries || error.status) this.tell(error.message);
        await pause(RETRY_SECONDS);
      }
    }
  }

  show(shown) {
    this.tell("");
    this.shown = shown;
    byId("item").classList.remove("left");
    byId("item").hidden = byId("controls").hidden = false;
    byId("rest").hidden = true;
    this.question.render();
    this.windows.open();
    this.controls.render();
    document.documentElement.scrollTop = 0;
  }

  // The draft changed.
  changed() {
    const { view, draft } = this.shown;
    localStorage.setItem(this.key(view.item), JSON.stringify(draft.plain));
    this.question.render();
    this.windows.render();
    this.controls.render();
  }

  // A line as the server keeps it; without verdict and grade it is a skip.
  record(view, said) {
    const none = { verdict: null, grade: null, reasons: [], note: "", edit: null, undoes: null };
    return { id: crypto.randomUUID(), reviewer: this.reviewer, item: view.item, kind: view.kind, guideline: this.about.kinds[view.kind].guideline, ...none, ...said };
  }

  judge({ verdict = null, grade = null }) {
    const { view, draft } = this.shown;
    this.leave();
    const record = this.record(view, { verdict, grade, reasons: verdict === "bad" ? draft.reasons : [], note: draft.note.trim(), edit: draft.edit });
    this.outbox.add(record);
    localStorage.removeItem(this.key(view.item));
    this.history = [...this.history.filter(({ item }) => item !== view.item), { item: view.item, id: record.id }];
    this.seen.set(view.item, { view, mine: record, critic: null });
    this.last = record;
    this.strip();
    if (this.shown === this.open) this.advance();
    else this.back(1);
  }

  // The item is done with; it stays in sight until the next one is there.
  leave() {
    this.shown.left = true;
    byId("item").classList.add("left");
  }

  skip() {
    if (this.shown !== this.open) return;
    this.leave();
    this.outbox.add(this.record(this.shown.view, {}));
    this.again = false;
    this.advance();
  }

  saved(record, { critic, progress }) {
    this.progress(progress);
    const seen = this.seen.get(record.item);
    if (seen?.mine.id === record.id) seen.critic = critic;
    if (this.last?.id === record.id) this.strip(critic);
  }

  async undo() {
    const item = this.shown && this.shown !== this.open && !byId("item").hidden ? this.shown.view.item : this.history.at(-1)?.item;
    const at = this.history.findIndex((one) => one.item === item);
    const found = at < 0 ? null : await this.look(item);
    if (!found) return;
    this.outbox.add(this.record(found.view, { guideline: found.mine.guideline, undoes: found.mine.id }));
    this.history = this.history.filter((one) => one.item !== item);
    this.seen.delete(item);
    this.last = null;
    this.strip();
    this.turn = null;
    // What was open waits, and comes next.
    if (this.open && this.open.view.item !== item) this.ahead = Promise.resolve({ view: this.open.view });
    this.open = { view: found.view, draft: new Draft(found.view, found.mine) };
    localStorage.setItem(this.key(item), JSON.stringify(this.open.draft.plain));
    this.show(this.open);
    this.hold();
  }

  // An item with the reviewer's judgement of it.
  async look(item) {
    if (this.seen.has(item)) return this.seen.get(item);
    try {
      return await ask("item", { reviewer: this.reviewer, item });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.tell(error.message);
      return null;
    }
  }

  // Turn to an earlier item, or forward until the open one.
  async back(by) {
    const here = this.shown === this.open || byId("item").hidden ? this.history.length : this.history.findIndex(({ item }) => item === this.shown.view.item);
    const target = here + by;
    if (target < 0 || target > this.history.length) return;
    if (target === this.history.length) {
      if (this.open) this.show(this.open);
      else await this.advance();
      return;
    }
    const found = await this.look(this.history[target].item);
    if (found?.mine) this.show({ ...found, draft: new Draft(found.view, found.mine) });
  }

  async hold() {
    const items = [this.open, await this.ahead].filter(Boolean).map(({ view }) => view.item);
    try {
      this.progress((await ask("hold", { reviewer: this.reviewer, items })).progress);
    } catch {
      // The lease ends by itself, and the next time may work.
    }
  }

  rest({ waiting, skipped }) {
    byId("item").hidden = byId("controls").hidden = true;
    const parts = [el("h2", { textContent: waiting || skipped ? "Nothing more for now" : "All done" })];
    if (waiting) parts.push(el("p", { textContent: `${many(waiting, "item is", "items are")} open in front of other reviewers. This page asks again by itself.` }));
    if (skipped) {
      const again = el("button", { type: "button", textContent: `Show ${many(skipped, "skipped item")} again` });
      again.addEventListener("click", () => {
        this.again = true;
        this.advance();
      });
      parts.push(el("p", {}, again));
    }
    if (!waiting && !skipped) parts.push(el("p", { textContent: "Every item has the judgements that it needs. Thank you." }));
    byId("rest").replaceChildren(...parts);
    byId("rest").hidden = false;
  }

  // What the last judgement was, and then what the critic thinks of that item.
  strip(critic) {
    byId("last").hidden = !this.last;
    if (!this.last) return;
    const { view } = this.seen.get(this.last.item);
    const said = this.last.verdict ? `You said ${this.last.verdict}` : `You gave ${this.last.grade}`;
    byId("last").replaceChildren(
      el("b", { textContent: said }), " of ", text("q", "", cut(view.query, 70)),
      ...(critic?.length ? [" ", el("span", { className: "critic" }, ...this.opinion(critic))] : []));
  }

  opinion(critic) {
    return critic.flatMap(({ name, value }) => [el("span", {}, `${name} `, el("b", { textContent: value }))]);
  }

  progress({ mine, judged, items, sample, sampled }) {
    const total = many(items, "item");
    const random = sampled ? ` · random sample ${count(sample)} of ${count(sampled)}` : "";
    byId("counts").replaceChildren(el("b", { textContent: count(mine) }), " by you · ", el("b", { textContent: count(judged) }), ` of ${total} judged${random}`);
    byId("meter").hidden = false;
    byId("meter").setAttribute("aria-valuenow", Math.round((100 * judged) / Math.max(1, items)));
    byId("meter").firstElementChild.style.width = `${(100 * judged) / Math.max(1, items)}%`;
  }

  says() {
    const left = this.outbox.records.length;
    byId("saved").textContent = left ? `${many(left, "judgement")} kept in this browser, not yet saved` : "All saved";
    byId("saved").classList.toggle("waiting", left > 0);
    if (this.outbox.problem) this.tell(this.outbox.problem);
    const [refused] = this.outbox.refused.values();
    if (!refused) return;
    this.tell(`The server refuses a judgement: ${refused}`);
    byId("message").append(" ", button("Discard it", "", () => {
      this.outbox.discard();
      this.tell("");
    }));
  }

  tell(message) {
    byId("message").hidden = !message;
    byId("message").textContent = message;
  }
}

const fail = (error) => {
  byId("message").hidden = false;
  byId("message").textContent = error.message;
};
window.addEventListener("error", ({ error }) => error && fail(error));
window.addEventListener("unhandledrejection", ({ reason }) => fail(reason));

const found = await signIn(fail);
await new Review(found.about, found.reviewer).begin();
