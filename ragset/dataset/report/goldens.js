// Goldens: filters, and one in full.
const whenOpened = [];

const docsOf = goldens.map((golden) => new Set(docsIn(golden)));
const haystacks = goldens.map((golden, number) =>
  [golden.id, golden.query, golden.answer || "", golden.conversation, ...golden.assertions.map(({ statement }) => statement), ...[...docsOf[number]].map((doc) => documents[doc].title)].join("\n").toLowerCase());

const distinct = (field) => [...new Set(goldens.map((golden) => golden[field]))].filter(Boolean).sort();
for (const golden of goldens) golden.spread = golden.cross ? "across" : "within";
options(byId("spread"), distinct("spread").map((value) => [value, value === "across" ? "cross-document only" : "within one document"]));
// Where the style says the shape already, one control is enough.
const shapes = distinct("shape");
options(byId("shape"), goldens.every(({ shape, style }) => !shape || shape === style) ? [] : shapes.map((value) => [value, words(value)]));
options(byId("style"), distinct("style").map((value) => [value, words(value)]));
options(byId("evolution"), distinct("evolution").map((value) => [value, value === "none" ? "not evolved" : words(value)]));
const LEVELS = ["easy", "medium", "hard"], SIDES = ["train", "validation", "test"];
const inOrder = (values, order) => values.sort((a, b) => (order.indexOf(a) + 1 || 9) - (order.indexOf(b) + 1 || 9));
options(byId("hardness"), inOrder(distinct("hardness"), LEVELS).map((value) => [value, words(value)]));
const sides = inOrder(distinct("split"), SIDES);
const languages = distinct("language");
options(byId("split"), sides.map((value) => [value, value]));
options(byId("document"), [...new Set(docsOf.flatMap((docs) => [...docs]))]
  .map((doc) => [String(doc), documents[doc].title]).sort((a, b) => a[1].localeCompare(b[1])));

const FIELDS = ["kind", "spread", "shape", "style", "evolution", "hardness", "split"];
const FILTERS = ["search", ...FIELDS, "document"];
const filter = () => {
  const doc = byId("document").value;
  const fields = FIELDS.map((id) => [id, byId(id).value]).filter(([, value]) => value);
  search(haystacks, (number) => fields.every(([field, value]) => goldens[number][field] === value) && (!doc || docsOf[number].has(Number(doc))));
  refresh();
};

const beside = () => [];

const marked = ({ at, marks }, label, alone) => {
  const { before, text: inner, after } = passages[at];
  const box = el("div", { className: "passage", dir: "auto", tabIndex: 0 });
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  if (before && alone) box.append(el("span", { className: "around", textContent: before }));
  let place = 0;
  for (const [from, to] of marks) {
    box.append(inner.slice(place, from), el("mark", { textContent: inner.slice(from, to) }));
    place = to;
  }
  box.append(inner.slice(place));
  if (after && alone) box.append(el("span", { className: "around", textContent: after }));
  return box;
};

const within = (where) => (where ? [" · ", text("bdi", "", where)] : []);

const passage = (given, name = "Passage", told = "Passage with its evidence marked") => {
  const { doc, start, end, where } = passages[given.at];
  return [
    el("p", { className: "label" }, `${name} · `, text("bdi", "", documents[doc].title)), marked(given, told, true),
    el("p", { className: "source" }, text("bdi", "", documents[doc].sources.join(", ")), ...within(where), ` · characters ${count(start)}–${count(end)}`),
  ];
};

// Several chunks stand side by side, without what is around them; a document is named at the first of its chunks.
const aside = (golden) => {
  const columns = golden.passages.map((given, place) => {
    const { doc, start, end, where } = passages[given.at];
    const before = place ? passages[golden.passages[place - 1].at] : null;
    const again = before !== null && before.doc === doc;
    const gap = again ? start - before.end : 0;
    const far = gap < 0 ? "before it" : gap < 3 ? "right after it" : `${count(gap)} characters further on`;
    const name = place < golden.chunks ? `Chunk ${place + 1}` : "Outside the chunks";
    return el("div", { className: "column" },
      el("p", { className: "label" }, `${name} · `, again ? el("span", { className: "again", textContent: `same document, ${far}` }) : text("bdi", "", documents[doc].title)),
      marked(given, `${name} with its evidence marked`, false),
      el("p", { className: "source" }, ...(again ? [] : [text("bdi", "", documents[doc].sources.join(", ")), " · "]), where ? text("bdi", "", where) : "", where ? " · " : "", `characters ${count(start)}–${count(end)} · `,
        given.marks.length ? el("span", { textContent: `${count(given.marks.length)} ${given.marks.length === 1 ? "quote" : "quotes"}` }) : el("b", { textContent: "no quote" })));
  });
  const docs = docsIn(golden).length;
  const box = el("div", { className: `chunks${columns.length === 3 || columns.length > 4 ? " three" : ""}` }, ...columns);
  return [el("p", { className: "label", textContent: `${count(golden.chunks)} chunks of ${docs === 1 ? "one document" : `${count(docs)} documents`}` }), box];
};

const leftOut = ({ left_out: left }) => el("details", { className: "left" },
  el("summary", { textContent: `${count(left.length)} ${left.length === 1 ? "chunk" : "chunks"} of the context left out` }),
  el("ul", {}, ...left.map(({ doc, start, end, stage, reason }) => el("li", {},
    text("bdi", "", documents[doc].title), ` · characters ${count(start)}–${count(end)}`, stage ? ` · ${words(stage)}` : "", reason ? text("small", "", reason) : null))));

// Passages of which each is enough, as the evidence is.
const asGood = ({ equivalents }) => el("details", { className: "left equivalents", open: true },
  el("summary", { textContent: equivalents.length === 1 ? "Another passage answers it as fully" : `${count(equivalents.length)} other passages answer it as fully` }),
  ...equivalents.flatMap((given, place) => passage(given, `Equivalent ${place + 1}`, `Equivalent ${place + 1} with what answers marked`)));

// The reference of a corpus-wide query: each assertion with its quotes, by document.
const assertions = ({ assertions: all }) => {
  const kept = all.filter(({ dropped }) => !dropped), out = all.filter(({ dropped }) => dropped);
  const item = ({ statement, quotes, dropped }) => el("li", {}, text("span", "", statement),
    ...quotes.map(({ doc, start, end, text: said }) => el("small", {}, text("q", "", said), " ", text("bdi", "", documents[doc].title), ` · characters ${count(start)}–${count(end)}`)),
    dropped ? text("small", "", dropped.replaceAll("_", " ")) : null);
  const list = el("div", { className: "assertions" }, el("p", { className: "label", textContent: `${count(kept.length)} assertions that an answer should make` }), el("ol", {}, ...kept.map(item)));
  if (out.length) {
    list.append(el("details", { className: "left" }, el("summary", { textContent: `${count(out.length)} dropped by the critic` }), el("ul", {}, ...out.map(item))));
  }
  return list;
};

const labelsOf = ({ hardness, reasons, round_trip: trip, closed_book: closed, overlap, persona, language, split, asked, graded }) => {
  const found = trip && `${trip.rank === null ? `not among the first ${count(trip.k)}` : `rank ${count(trip.rank)}`} by ${trip.by}`;
  const rows = [
    ["Evidence found again", found && [found]],
    ["Answer without the passage", closed && [closed]],
    ["Query’s words in the evidence", overlap !== null && [`${Math.round(100 * overlap)} %`]],
    ["Asked", asked > 1 && [`${count(asked)} times`]],
    ["Graded passages", graded && [graded]],
    ["Persona", persona && [text("bdi", "", persona)]],
    ["Language", languages.length > 1 && language && [language]],
    ["Split", sides.length > 1 && [split]],
    ["Hardness", hardness && [hardness, ...(reasons.length ? [text("small", "", reasons.join(", "))] : [])]],
  ].filter(([, value]) => value);
  return rows.length ? el("dl", { className: "labels" }, ...rows.map(([name, value]) => el("div", {}, el("dt", { textContent: name }), el("dd", {}, ...value)))) : null;
};

const score = ([name, points]) => {
  const pips = el("span", { className: "pips" }, ...[1, 2, 3, 4, 5].map((pip) => el("i", { className: pip <= points ? "on" : "" })));
  pips.setAttribute("aria-hidden", "true");
  return el("span", { className: "score" }, `${words(name)} `, pips, el("b", { textContent: String(points) }));
};

const step = (made) => el("li", {},
  el("b", { textContent: made.kind ? `${words(made.stage)}, ${words(made.kind)}` : words(made.stage) }),
  made.query ? text("q", "", made.query) : null,
  el("small", {}, el("code", { textContent: made.prompt }), ` by ${made.model}`));

const show = () => {
  const box = byId("golden");
  if (!shown.length) {
    const why = goldens.length ? "No golden fits the filters." : "This dataset has no goldens; the funnel below says why.";
    box.replaceChildren(el("p", { className: "empty", textContent: why }));
    return;
  }
  const golden = goldens[current];
  const tags = [...new Set([kinds.length > 1 ? golden.kind : "", golden.cross ? "cross-document" : "", golden.shape, golden.style,
    golden.evolution === "none" ? "" : golden.evolution])].filter(Boolean);
  box.replaceChildren(
    pager(golden),
    text("h3", "", golden.query),
    golden.assertions.length ? assertions(golden) : text("p", golden.answer === null ? "answer none" : "answer", golden.answer === null ? `The corpus does not hold the answer.${golden.missing && ` Missing: ${golden.missing}`}` : golden.answer),
    el("p", { className: "tags" }, ...tags.map((tag) => el("span", { className: "tag", textContent: words(tag) })),
      ...Object.entries(golden.scores).sort().map(score)),
    ...(golden.conversation ? [text("p", "label", "Asked in a conversation"), text("p", "conversation", golden.conversation)] : []),
    ...[labelsOf(golden)].filter(Boolean),
    ...(golden.chunks > 1 ? aside(golden)
      : golden.passages.flatMap((given) => (golden.kind === "unanswerable" ? passage(given, "Nearest passage", "Passage that does not answer it") : passage(given)))));
  if (golden.equivalents.length) box.append(asGood(golden));
  if (golden.left_out.length) box.append(leftOut(golden));
  if (golden.steps.length) {
    box.append(el("details", { className: "lineage", open: true }, el("summary", { textContent: "How it was made" }), el("ol", {}, ...golden.steps.map(step))));
  }
  toMarks(box);
  for (const then of whenOpened) then(current);
};

const SECTION = "goldens";
begin();
