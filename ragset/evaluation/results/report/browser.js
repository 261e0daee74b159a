// Query by query: filters, one golden with the scores of all configurations, and what one of them retrieved.
const { primary, configurations, hits, values, answers, assertions, most } = JSON.parse(byId("runs").textContent);
const EQUAL = 1e-9;
let chosen = 0;

const scoresOf = goldens.map((_, number) => values[primary].map((of) => of[number]));
const known = scoresOf.map((scores) => scores.filter((score) => score !== null));
const spreads = known.map((scores) => (scores.length ? Math.max(...scores) - Math.min(...scores) : 0));
const means = known.map((scores) => (scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : 2));
const haystacks = goldens.map((golden) => [golden.id, golden.query, golden.answer || "", titleOf(golden)].join("\n").toLowerCase());
const fits = {
  "": () => true,
  disagree: (number) => spreads[number] >= 0.5 - EQUAL,
  lost: (number) => known[number].every((score) => score < 1 - EQUAL),
  missed: (number) => known[number].length > 0 && known[number].every((score) => score <= EQUAL),
};
const points = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));

const figure = (value) => (value > 1 && Number.isInteger(value) ? count(value) : value > 0 && value < 0.001 ? String(value) : points(value));

const filter = () => {
  const fit = fits[byId("which").value], kind = byId("kind").value, order = byId("order").value;
  search(haystacks, (number) => fit(number) && (!kind || goldens[number].kind === kind));
  if (order === "spread") shown.sort((a, b) => spreads[b] - spreads[a] || a - b);
  if (order === "mean") shown.sort((a, b) => means[a] - means[b] || a - b);
  refresh();
};

// A strip for each golden: a square for each configuration, in the order of the leaderboard.
const strip = (number) => {
  const box = el("span", { className: "strip" }, ...scoresOf[number].map((score) => {
    const square = el("i", { className: score === null ? "unknown" : "" });
    if (score !== null) square.style.setProperty("--share", `${Math.round(100 * Math.min(1, Math.max(0, score)))}%`);
    return square;
  }));
  box.setAttribute("aria-hidden", "true");
  return box;
};

const beside = (number) => {
  const told = known[number].length ? `mean ${points(means[number])}, spread ${points(spreads[number])}` : "not judged";
  return [el("small", { textContent: told }), strip(number)];
};

const marked = (passage, gold, label) => {
  if (passage.text === undefined) return el("p", { className: "empty", textContent: "Not in the corpus: there is no text to show." });
  const characters = Array.from(passage.text); // places count characters, of which some are two units of a string
  const box = el("div", { className: "passage", dir: "auto", tabIndex: 0 });
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  const ranges = gold.filter(([doc, start, end]) => doc === passage.doc && start < passage.end && end > passage.start)
    .map(([, start, end]) => [Math.max(start - passage.start, 0), Math.min(end - passage.start, characters.length)])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let place = 0;
  for (const [from, to] of ranges) {
    const begin = Math.max(from, place);
    if (begin >= to) continue;
    box.append(characters.slice(place, begin).join(""), el("mark", { textContent: characters.slice(begin, to).join("") }));
    place = to;
  }
  box.append(characters.slice(place).join(""));
  return box;
};

const where = ({ doc, start, end, where: within }) => el("p", { className: "source" }, text("bdi", "", documents[doc].sources.join(", ")), ...(within ? [" · ", text("bdi", "", within)] : []), end ? ` · characters ${count(start)}–${count(end)}` : "");

const retrieved = (golden, number) => {
  const found = hits[chosen][number];
  if (found === null) return [el("p", { className: "empty", textContent: "This configuration gave nothing for this query: it scores 0." })];
  if (!most) return [el("p", { className: "empty", textContent: "The passages were left out of this page, as it would be too large." })];
  if (!found.length) return [el("p", { className: "empty", textContent: "It retrieved nothing." })];
  return [el("ol", { className: "hits" }, ...found.map(([at, score, relevant], place) => {
    const passage = passages[at];
    return el("li", { className: relevant ? "relevant" : "" },
      el("p", { className: "label" }, el("b", { className: "rank", textContent: String(place + 1) }), text("bdi", "", documents[passage.doc].title),
        el("span", { className: "points", textContent: `score ${score}` }), relevant ? el("span", { className: "tag", textContent: "relevant" }) : null),
      marked(passage, golden.gold, `Passage at rank ${place + 1}`), where(passage));
  }))];
};

const answered = (number) => {
  const given = answers[chosen][number];
  if (given === undefined) return null;
  return given === null ? el("p", { className: "answer none", textContent: "The reader abstained." }) : text("p", "answer", given);
};

// Of a corpus-wide query, which assertions the answer makes.
const graded = (number) => {
  const found = assertions[chosen][number];
  return found ? [el("ul", { className: "graded" }, ...found.map(([said, met, reason]) => el("li", {},
    el("b", { className: met ? "win" : "loss", textContent: met ? "made " : "missing " }), text("span", "", said), reason ? text("small", "", ` (${reason})`) : null)))] : [];
};

const table = (number) => {
  const best = scoresOf[number][0];
  const ranks = values.gold_rank;
  const rows = configurations.map(({ name, label }, place) => {
    const score = scoresOf[number][place];
    const button = el("button", { type: "button" }, el("span", { className: "number", textContent: String(place + 1) }), text("bdi", "", label));
    button.title = name;
    button.setAttribute("aria-pressed", String(place === chosen));
    button.addEventListener("click", () => {
      chosen = place;
      show();
      byId("golden").querySelectorAll(".wins button")[place].focus({ preventScroll: true });
    });
    const bar = el("i", {});
    bar.style.width = `${score === null ? 0 : 100 * Math.min(1, Math.max(0, score))}%`;
    const difference = score === null || best === null || !place ? null : score - best;
    const told = difference === null ? "" : Math.abs(difference) < EQUAL ? "=" : `${difference > 0 ? "win +" : "loss −"}${Math.abs(difference).toFixed(3)}`;
    const cells = [el("th", { scope: "row" }, button), el("td", { className: "n" }, points(score)), el("td", { className: "bar" }, el("span", {}, bar)),
      el("td", { className: `n ${told[0] === "w" ? "win" : told[0] === "l" ? "loss" : ""}`, textContent: told })];
    if (ranks) cells.push(el("td", { className: "n", textContent: ranks[place][number] === null ? "missed" : count(ranks[place][number]) }));
    return el("tr", { className: place === chosen ? "chosen" : "" }, ...cells);
  });
  const heads = [["Configuration", ""], [primary, "n"], ["", "bar"], ["against the first", "n"], ...(ranks ? [["gold rank", "n"]] : [])];
  return el("div", { className: "scroll wins" }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map(([name, className]) => el("th", { scope: "col", className, textContent: name })))), el("tbody", {}, ...rows)));
};

const show = () => {
  const box = byId("golden");
  if (!shown.length) {
    box.replaceChildren(el("p", { className: "empty", textContent: goldens.length ? "No golden fits the filters." : "There are no goldens." }));
    return;
  }
  const scrolled = box.querySelector(".wins")?.scrollTop ?? 0;
  const golden = goldens[current];
  const tags = [...new Set([kinds.length > 1 ? golden.kind : "", ...golden.tags])].filter(Boolean);
  const reference = golden.answer === null ? el("p", { className: "answer none", textContent: "The corpus does not hold the answer." }) : text("p", "answer", golden.answer);
  const own = answered(current);
  const details = Object.entries(values).filter(([metric]) => metric !== primary && metric !== "gold_rank" && values[metric][chosen][current] !== null);
  box.replaceChildren(
    pager(golden),
    text("h3", "", golden.query),
    el("p", { className: "tags" }, ...tags.map((tag) => el("span", { className: "tag", textContent: words(tag) }))),
    el("details", { className: "left" }, el("summary", { textContent: `The evidence: ${count(golden.passages.length)} ${golden.passages.length === 1 ? "passage" : "passages"}` }),
      ...golden.passages.flatMap(({ at }) => [el("p", { className: "label" }, text("bdi", "", documents[passages[at].doc].title)), marked(passages[at], golden.gold, "Evidence"), where(passages[at])])),
    el("p", { className: "label", textContent: "All configurations, choose one" }), table(current),
    el("h4", {}, el("span", { className: "number", textContent: String(chosen + 1) }), text("bdi", "", configurations[chosen].label)),
    el("div", { className: `answers${own ? " two" : ""}` },
      el("div", {}, el("p", { className: "label", textContent: "Reference answer" }), reference),
      own ? el("div", {}, el("p", { className: "label", textContent: "Its answer" }), own) : null),
    ...graded(current),
    details.length ? el("details", { className: "left" }, el("summary", { textContent: "Its other scores" }),
      el("ul", { className: "scores" }, ...details.map(([metric, of]) => el("li", {}, `${metric} `, el("b", { textContent: figure(of[chosen][current]) }))))) : "",
    el("p", { className: "label", textContent: "What it retrieved" }), ...retrieved(golden, current));
  box.querySelector(".wins").scrollTop = scrolled;
  toMarks(box);
};

const SECTION = "queries", FILTERS = ["search", "which", "kind", "order"];
begin();
linked();
