"use strict";
// Text reaches the page as text nodes only, so nothing in a document or a reply can become markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { goldens, passages, documents, rejects, map } = data;
  const byId = (id) => document.getElementById(id);
  const el = (name, properties, ...children) => {
    const node = Object.assign(document.createElement(name), properties || {});
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const words = (code) => String(code).replaceAll("_", " ");

  // Goldens: filters, list, one in full.
  const PAGE = 200;
  let shown = goldens.map((_, number) => number);
  let current = 0;
  let listed = PAGE;

  const options = (select, values) => {
    for (const [value, text] of values) select.append(el("option", { value, textContent: text }));
    select.hidden = values.length < 2;
  };
  const distinct = (field) => [...new Set(goldens.map((golden) => golden[field]))].filter(Boolean).sort();
  options(byId("style"), distinct("style").map((value) => [value, value]));
  options(byId("evolution"), distinct("evolution").map((value) => [value, value === "none" ? "not evolved" : value]));
  const used = new Set(goldens.flatMap((golden) => golden.evidence.map((span) => span.doc)));
  options(byId("document"), [...used].map((doc) => [String(doc), documents[doc].title]).sort((a, b) => a[1].localeCompare(b[1])));

  const filter = () => {
    const sought = byId("search").value.trim().toLowerCase();
    const style = byId("style").value, evolution = byId("evolution").value, doc = byId("document").value;
    shown = goldens.flatMap((golden, number) => {
      const text = `${golden.id} ${golden.query} ${golden.answer || ""}`.toLowerCase();
      const fits = (!sought || text.includes(sought)) && (!style || golden.style === style) &&
        (!evolution || golden.evolution === evolution) && (!doc || golden.evidence.some((span) => String(span.doc) === doc));
      return fits ? [number] : [];
    });
    listed = PAGE;
    byId("found").textContent = `${shown.length} of ${goldens.length}`;
    if (shown.length && !shown.includes(current)) current = shown[0];
    list();
    show();
  };

  const list = () => {
    const items = shown.slice(0, listed).map((number) => {
      const golden = goldens[number];
      const button = el("button", { type: "button" }, golden.query, el("small", { textContent: documents[golden.evidence.length ? golden.evidence[0].doc : passages[golden.passages[0]].doc].title }));
      button.dataset.number = number;
      button.setAttribute("aria-current", String(number === current));
      button.addEventListener("click", () => open(number));
      return el("li", {}, button);
    });
    if (shown.length > listed) {
      const more = el("button", { type: "button", textContent: `Show ${Math.min(PAGE, shown.length - listed)} more` });
      more.addEventListener("click", () => { listed += PAGE; list(); });
      items.push(el("li", {}, more));
    }
    byId("list").replaceChildren(...items);
  };

  const passage = (golden, number) => {
    const { doc, start, before, text, after } = passages[number];
    const box = el("div", { className: "passage", tabIndex: 0 });
    if (before) box.append(el("span", { className: "around", textContent: (start > before.length ? "…" : "") + before }));
    let place = start;
    const end = start + text.length;
    const spans = golden.evidence.filter((span) => span.doc === doc && span.start < end && span.end > start);
    for (const span of spans) {
      const from = Math.max(span.start, place), to = Math.min(span.end, end);
      box.append(text.slice(place - start, from - start), el("mark", { textContent: text.slice(from - start, to - start) }));
      place = to;
    }
    box.append(text.slice(place - start));
    if (after) box.append(el("span", { className: "around", textContent: `${after}…` }));
    const sources = documents[doc].sources.join(", ");
    return [el("p", { className: "label", textContent: `Passage · ${documents[doc].title}` }), box, el("small", { textContent: `${sources} · characters ${start}–${end}` })];
  };

  const show = () => {
    const box = byId("golden");
    if (!shown.length) {
      box.replaceChildren(el("p", { textContent: goldens.length ? "No golden fits the filters." : "This dataset has no goldens; the funnel below says why." }));
      return;
    }
    const golden = goldens[current];
    const at = shown.indexOf(current);
    const step = (text, by, label) => {
      const button = el("button", { type: "button", textContent: text, disabled: !(at + by in shown) });
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => open(shown[at + by]));
      return button;
    };
    const tags = [golden.style, golden.evolution !== "none" ? golden.evolution : "", ...Object.entries(golden.scores).map(([name, score]) => `${name} ${score}`)];
    const steps = golden.steps.map((made) => el("li", {},
      `${made.stage}${made.kind ? ` (${made.kind})` : ""}`, made.query ? `: ${made.query} ` : " ",
      el("code", { textContent: `${made.prompt} · ${made.model}` })));
    box.replaceChildren(
      el("div", { className: "pager" }, el("a", { href: `#${golden.id}`, textContent: golden.id }),
        el("span", {}, step("←", -1, "Previous golden"), `${at + 1} / ${shown.length}`, step("→", 1, "Next golden"))),
      el("h3", { textContent: golden.query }),
      el("p", { className: "answer", textContent: golden.answer === null ? "The corpus does not hold the answer." : golden.answer }),
      el("p", { className: "tags" }, ...tags.filter(Boolean).map((text) => el("span", { className: "tag", textContent: text }))),
      ...golden.passages.flatMap((number) => passage(golden, number)),
      el("p", { className: "label", textContent: "Made by" }), el("ol", { className: "steps" }, ...steps));
    const mark = box.querySelector("mark");
    if (mark) mark.closest(".passage").scrollTop = Math.max(0, mark.offsetTop - mark.closest(".passage").offsetTop - 80);
  };

  const open = (number, scroll) => {
    if (!shown.includes(number)) {
      for (const id of ["search", "style", "evolution", "document"]) byId(id).value = "";
      current = number;
      filter();
    }
    current = number;
    history.replaceState(null, "", `#${goldens[number].id}`);
    for (const button of byId("list").querySelectorAll("button[data-number]")) {
      const here = Number(button.dataset.number) === current;
      button.setAttribute("aria-current", String(here));
      if (here) { const box = byId("list"); box.scrollTop = Math.min(Math.max(box.scrollTop, button.offsetTop + button.offsetHeight - box.offsetTop - box.clientHeight), button.offsetTop - box.offsetTop); }
    }
    show();
    if (scroll) byId("goldens").scrollIntoView();
  };

  for (const id of ["style", "evolution", "document"]) byId(id).addEventListener("change", filter);
  byId("search").addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by && shown[shown.indexOf(current) + by];
    if (next !== undefined) { event.preventDefault(); open(next); }
  });
  const linked = () => {
    const number = goldens.findIndex((golden) => `#${golden.id}` === location.hash);
    if (number >= 0 && number !== current) open(number, true);
  };
  window.addEventListener("hashchange", linked);
  filter();
  linked();

  // Rejects: a fold for each stage and reason.
  const groups = rejects.map((group) => {
    const summary = el("summary", {}, el("b", { textContent: group.count.toLocaleString("en") }), ` ${words(group.reason)} `, el("span", { className: "stage-of", textContent: `at ${group.stage}` }));
    const details = el("details", {}, summary);
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      for (const one of group.shown) {
        details.append(el("div", { className: "reject" },
          one.query ? el("p", {}, el("b", { textContent: one.query })) : null,
          one.answer ? el("p", { textContent: one.answer }) : null,
          one.detail ? el("p", { textContent: one.detail }) : null,
          one.text ? el("p", { className: "text", textContent: one.text }) : null,
          one.doc >= 0 ? el("small", { textContent: documents[one.doc].title }) : null));
      }
      if (group.count > group.shown.length) details.append(el("p", { textContent: `${group.shown.length} of ${group.count} shown; all are in rejects.jsonl.` }));
    });
    return details;
  });
  byId("groups").replaceChildren(...(groups.length ? groups : [el("p", { textContent: "Nothing was rejected." })]));

  // Map: small dots first, ringed ones on top.
  const svg = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const numbers = [...new Set(map.doc)];
  const hue = new Map(numbers.map((doc, place) => [doc, Math.round((place * 360) / Math.max(numbers.length, 1))]));
  const order = map.x.map((_, place) => place).sort((a, b) => (map.golden[a] >= 0) - (map.golden[b] >= 0) || a - b);
  const small = map.x.length > 1500 ? 2.5 : 4.5;
  for (const place of order) {
    const golden = map.golden[place];
    const dot = svg("circle", {
      cx: 20 + 960 * map.x[place], cy: 500 - 480 * map.y[place], r: golden >= 0 ? 7 : small,
      fill: `hsl(${hue.get(map.doc[place])} 55% 52%)`, "fill-opacity": golden >= 0 ? 0.95 : 0.55,
    });
    if (golden >= 0) {
      dot.classList.add("golden");
      dot.addEventListener("click", () => open(golden, true));
    }
    dot.addEventListener("mouseenter", () => {
      byId("dot").textContent = documents[map.doc[place]].title + (golden >= 0 ? ` · ${goldens[golden].query}` : "");
    });
    byId("plane").append(dot);
  }
})();
