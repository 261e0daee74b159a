// The map: small dots first, ringed ones on top.
const LEGEND = 24;
const svg = (name, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};
// Neighbours in the list get hues far apart: each turns on by the golden angle.
const mapped = [...new Set(map.doc)];
const colours = new Map(mapped.map((doc, place) => [doc, `hsl(${Math.round((170 + place * 137.508) % 360)} ${place % 2 ? 62 : 52}% ${place % 3 ? 52 : 44}%)`]));
const dots = [];
const plane = byId("plane"), tip = byId("tip");
const rings = [], line = svg("path", { class: "joined" });
const drawn = map.x.map(() => []);
goldens.forEach((golden, number) => { for (const place of golden.dots) drawn[place].push(number); });

const tell = (dot, place) => {
  const [first, ...others] = drawn[place];
  tip.replaceChildren(text("bdi", "", documents[map.doc[place]].title));
  if (first !== undefined) tip.append(text("b", "", goldens[first].query));
  if (others.length) tip.append(`and ${count(others.length)} more`);
  tip.hidden = false;
  const box = plane.getBoundingClientRect(), at = dot.getBoundingClientRect();
  const left = at.left - box.left + at.width / 2;
  tip.style.left = `${Math.min(Math.max(left - tip.offsetWidth / 2, 0), Math.max(box.width - tip.offsetWidth, 0))}px`;
  const above = at.top - box.top - tip.offsetHeight - 8;
  tip.style.top = `${above >= 0 ? above : at.bottom - box.top + 8}px`;
};

const order = map.x.map((_, place) => place).sort((a, b) => (drawn[a].length > 0) - (drawn[b].length > 0) || a - b);
const small = map.x.length > 1500 ? 3 : 4.5, large = goldens.length > 500 ? 4.5 : 7;
for (const place of order) {
  const own = drawn[place];
  const dot = svg("circle", {
    cx: (20 + 960 * map.x[place]).toFixed(1), cy: (500 - 480 * map.y[place]).toFixed(1), r: own.length ? large : small,
    fill: colours.get(map.doc[place]), class: own.length ? "golden" : "chunk",
  });
  // Of several goldens the one after that which is open.
  if (own.length) dot.addEventListener("click", () => open(own[(own.indexOf(current) + 1) % own.length], true));
  dot.addEventListener("mouseenter", () => tell(dot, place));
  dot.addEventListener("mouseleave", () => { tip.hidden = true; });
  dots[place] = dot;
  plane.append(dot);
}
if (plane) plane.prepend(line); // there is no plane where there are no chunks

// The chunks of the golden that is open have a second ring, and a line joins them.
whenOpened.push((number) => {
  const at = goldens[number].dots.map((place) => ["cx", "cy"].map((axis) => dots[place].getAttribute(axis)));
  line.setAttribute("d", at.length > 1 ? `M${at.map((point) => point.join(" ")).join("L")}Z` : "");
  for (const ring of rings.splice(0)) ring.remove();
  rings.push(...at.map(([cx, cy]) => svg("circle", { class: "ring", r: 13, cx, cy })));
  if (plane) plane.append(...rings);
});

// The legend: point at a document to see its chunks alone, choose it to filter the goldens by it.
const tally = new Map(mapped.map((doc) => [doc, { doc, chunks: 0, goldens: new Set() }]));
map.doc.forEach((doc, place) => {
  tally.get(doc).chunks += 1;
  for (const number of drawn[place]) tally.get(doc).goldens.add(number);
});
const ranked = [...tally.values()].sort((a, b) => b.goldens.size - a.goldens.size || b.chunks - a.chunks);
const only = (doc) => dots.forEach((dot, place) => dot.classList.toggle("dim", doc !== null && map.doc[place] !== doc));
for (const { doc, goldens: found } of ranked.slice(0, LEGEND)) {
  const swatch = el("i", {});
  swatch.style.background = colours.get(doc);
  const button = el("button", { type: "button", disabled: !found.size }, swatch, text("span", "", documents[doc].title), el("small", { textContent: count(found.size) }));
  button.title = `${documents[doc].title}: goldens ${found.size}`;
  for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => only(doc));
  for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => only(null));
  button.addEventListener("click", () => {
    for (const id of FILTERS) byId(id).value = id === "document" ? String(doc) : "";
    filter();
    byId("goldens").scrollIntoView();
  });
  byId("legend").append(el("li", {}, button));
}
if (ranked.length > LEGEND) byId("legend").append(el("li", { className: "rest", textContent: `and ${count(ranked.length - LEGEND)} more documents` }));
