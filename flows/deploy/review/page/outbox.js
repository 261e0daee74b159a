// Judgements that the server has not confirmed. They stay in this browser until it does, through a crash of either, and
// are sent in their order. A judgement that is sent twice is kept once: it has an id.
import { Refusal, ask, pause } from "./server.js";

const RETRY_SECONDS = 2;

export class Outbox {
  #prefix;
  #sending = false;
  #last = 0;
  problem = ""; // why the server could not write; it is asked again
  refused = new Map(); // what the server does not take, by key, with its reason; it is sent again by the next page

  constructor(set, { changed, saved }) {
    this.#prefix = `ragset-review/${set}/out/`;
    this.changed = changed;
    this.saved = saved;
  }

  #keys() {
    return Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix)).sort();
  }

  get records() {
    return this.#keys().map((key) => JSON.parse(localStorage.getItem(key)));
  }

  add(record) {
    this.#last = Math.max(Date.now(), this.#last + 1);
    localStorage.setItem(`${this.#prefix}${String(this.#last).padStart(15, "0")}-${record.id}`, JSON.stringify(record));
    this.changed();
    this.send();
  }

  discard() {
    for (const key of this.refused.keys()) localStorage.removeItem(key);
    this.refused.clear();
    this.changed();
  }

  async send() {
    if (this.#sending) return;
    this.#sending = true;
    const next = () => this.#keys().find((key) => !this.refused.has(key));
    for (let key = next(); key; key = next()) {
      const record = JSON.parse(localStorage.getItem(key));
      try {
        const answer = await ask("reviews", record);
        localStorage.removeItem(key);
        this.problem = "";
        this.saved(record, answer);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.status === 422) this.refused.set(key, error.message);
        else {
          this.problem = error.status ? error.message : "";
          this.changed();
          await pause(RETRY_SECONDS);
        }
      }
      this.changed();
    }
    this.#sending = false;
  }
}
