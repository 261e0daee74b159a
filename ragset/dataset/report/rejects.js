// Rejects: a fold for each stage and reason, its examples made when it is first opened.
const matches = (one, sought) => [one.query, one.answer, one.detail, one.text, one.doc >= 0 ? documents[one.doc].title : ""]
  .join("\n").toLowerCase().includes(sought);

const example = (one) => el("li", {},
  one.query ? text("p", "query", one.query) : null,
  one.answer ? text("p", "", one.answer) : null,
  one.detail ? text("p", "why", one.detail) : null,
  one.text ? text("p", "text", one.text) : null,
  one.doc >= 0 ? text("p", "source", documents[one.doc].title + (one.more ? ` · and ${count(one.more)} more ${one.more === 1 ? "chunk" : "chunks"}` : "")) : null);

const fold = (group, found, most, sought) => {
  const bar = el("span", { className: "bar" }, el("i", {}));
  bar.firstChild.style.width = `${Math.max(1, (100 * group.count) / most)}%`;
  bar.setAttribute("aria-hidden", "true");
  const details = el("details", {}, el("summary", {},
    el("b", { textContent: count(group.count) }), el("span", { className: "reason", textContent: words(group.reason) }),
    el("span", { className: "stage", textContent: words(group.stage) }), bar));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const rest = sought ? `${count(found.length)} of the ${count(group.shown.length)} examples fit.` : "";
    const cut = group.count > group.shown.length ? `${count(group.shown.length)} of ${count(group.count)} shown; all are in rejects.jsonl.` : "";
    details.append(el("ol", { className: "examples" }, ...found.map(example)));
    if (rest || cut) details.append(el("p", { className: "hint", textContent: [rest, cut].filter(Boolean).join(" ") }));
  });
  return details;
};

const showRejects = () => {
  const sought = byId("reject-search").value.trim().toLowerCase(), stage = byId("reject-stage").value;
  const most = Math.max(...rejects.map((group) => group.count), 1);
  const fitting = rejects.filter((group) => !stage || group.stage === stage)
    .map((group) => [group, sought && !words(group.reason).includes(sought) ? group.shown.filter((one) => matches(one, sought)) : group.shown])
    .filter(([, found]) => found.length);
  const total = fitting.reduce((sum, [group]) => sum + group.count, 0);
  byId("reject-found").textContent = rejects.length ? `${count(total)} for ${count(fitting.length)} ${fitting.length === 1 ? "reason" : "reasons"}` : "";
  const nothing = rejects.length ? "No reject fits." : "Nothing was rejected.";
  byId("groups").replaceChildren(...(fitting.length ? fitting.map(([group, found]) => fold(group, found, most, sought)) : [el("p", { textContent: nothing })]));
};

options(byId("reject-stage"), [...new Set(rejects.map((group) => group.stage))].map((stage) => [stage, words(stage)]));
byId("reject-search").addEventListener("input", showRejects);
byId("reject-stage").addEventListener("change", showRejects);
byId("reject-search").parentElement.hidden = !rejects.length;
showRejects();

// All parts are there: show the golden that the address names, and ring the one that is open.
linked();
if (goldens.length) for (const then of whenOpened) then(current);
