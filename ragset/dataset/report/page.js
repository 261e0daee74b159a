// What the others share. Text reaches the page as text nodes only, so nothing in a document or a reply becomes markup.
const { goldens, passages, documents, rejects, map } = JSON.parse(document.getElementById("data").textContent);

const byId = (id) => document.getElementById(id);
const el = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties || {});
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
// Text that somebody else wrote: it settles its own direction.
const text = (name, className, content) => el(name, { className, dir: "auto", textContent: content });
const NAMES = new Map([["relevant", "relevant chunks"], ["necessity", "needed chunks"], ["multi_context", "multi-context"]]);
const words = (code) => NAMES.get(code) ?? String(code).replaceAll("_", " ");
const count = (number) => number.toLocaleString("en");
const options = (select, values) => {
  for (const [value, label] of values) select.append(el("option", { value, textContent: label }));
  select.hidden = values.length < 2;
};
const docsIn = (golden) => [...new Set(golden.passages.map(({ at }) => passages[at].doc))];
const titleOf = (golden) => docsIn(golden).map((doc) => documents[doc].title).join(" + ");
