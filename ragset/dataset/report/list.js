// The list of the goldens that fit the filters, and the one that is open, which the address of the page names.
// The script after this one gives FILTERS, SECTION, filter(), show() and beside(number), and calls begin().
const PAGE = 200;
let shown = goldens.map((_, number) => number);
let current = 0;
let listed = PAGE;

const kinds = [...new Set(goldens.map((golden) => golden.kind))].filter(Boolean).sort();
options(byId("kind"), kinds.map((value) => [value, value]));

// Goldens whose haystack has every word of the search, and that fit.
const search = (haystacks, fits) => {
  const wanted = byId("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  shown = goldens.flatMap((_, number) => (wanted.every((word) => haystacks[number].includes(word)) && fits(number) ? [number] : []));
};

const refresh = () => {
  listed = PAGE;
  byId("found").textContent = `${count(shown.length)}${shown.length < goldens.length ? ` of ${count(goldens.length)}` : ""} ${goldens.length === 1 ? "golden" : "goldens"}`;
  if (shown.length && !shown.includes(current)) current = shown[0];
  list();
  show();
};

const list = () => {
  const items = shown.slice(0, listed).map((number) => {
    const golden = goldens[number];
    const button = el("button", { type: "button" }, text("span", "", golden.query), text("small", "", titleOf(golden)), ...beside(number));
    button.dataset.number = number;
    button.setAttribute("aria-current", String(number === current));
    button.addEventListener("click", () => open(number));
    return el("li", {}, button);
  });
  if (shown.length > listed) {
    const more = el("button", { type: "button", className: "more", textContent: `Show ${count(Math.min(PAGE, shown.length - listed))} more` });
    more.addEventListener("click", () => { listed += PAGE; list(); });
    items.push(el("li", {}, more));
  }
  byId("list").hidden = !items.length;
  byId("list").replaceChildren(...items);
};

const turn = (arrow, by, label) => {
  const target = shown[shown.indexOf(current) + by];
  const button = el("button", { type: "button", textContent: arrow, title: `${label} (${arrow} key)`, disabled: target === undefined });
  button.setAttribute("aria-label", label);
  button.addEventListener("click", () => {
    open(target);
    const again = byId("golden").querySelector(`[aria-label="${label}"]`);
    if (again && !again.disabled) again.focus();
  });
  return button;
};

const pager = (golden) => el("div", { className: "pager" },
  el("a", { href: `#${golden.id}`, textContent: golden.id, title: "A link to this golden" }),
  el("span", {}, turn("←", -1, "Previous golden"), `${count(shown.indexOf(current) + 1)} of ${count(shown.length)}`, turn("→", 1, "Next golden")));

// Scroll each passage of the open golden to its first mark.
const toMarks = (box) => {
  for (const mark of box.querySelectorAll("mark:first-of-type")) {
    const around = mark.closest(".passage");
    around.scrollTop = Math.max(0, mark.offsetTop - 96);
  }
};

// Bring the open golden's line into its list, without moving the page.
const reveal = () => {
  const box = byId("list");
  for (const button of box.querySelectorAll("button[data-number]")) {
    const here = Number(button.dataset.number) === current;
    button.setAttribute("aria-current", String(here));
    if (!here) continue;
    const top = button.parentElement.offsetTop;
    box.scrollTop = Math.min(Math.max(box.scrollTop, top + button.offsetHeight - box.clientHeight), top);
  }
};

const open = (number, scroll) => {
  current = number;
  if (!shown.includes(number)) {
    for (const id of FILTERS) byId(id).value = "";
    filter();
  }
  const place = shown.indexOf(number);
  if (place >= listed) {
    listed = Math.ceil((place + 1) / PAGE) * PAGE;
    list();
  }
  history.replaceState(null, "", `#${goldens[number].id}`);
  show();
  reveal();
  if (scroll) byId(SECTION).scrollIntoView();
};

document.addEventListener("keydown", (event) => {
  if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = by && shown[shown.indexOf(current) + by];
  if (next !== undefined) {
    event.preventDefault();
    open(next);
  }
});
const linked = () => {
  const number = goldens.findIndex((golden) => `#${golden.id}` === location.hash);
  if (number >= 0 && number !== current) open(number, true);
};
window.addEventListener("hashchange", linked);

const begin = () => {
  for (const id of FILTERS) byId(id).addEventListener(id === "search" ? "input" : "change", filter);
  byId("search").parentElement.hidden = !goldens.length;
  filter();
};
