// Tables sort by the column whose head is chosen; lines light up with their names.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = el("button", { type: "button" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const numbers = head.dataset.by === "number";
      // Scores are best first at the first choice, names and places in their order.
      const first = numbers && column ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const way = head.getAttribute("aria-sort") === first ? other : first;
      for (const one of heads) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", way);
      const sign = way === "ascending" ? 1 : -1;
      const value = (row) => row.cells[column].dataset.value;
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort((a, b) => {
        const [left, right] = [value(a), value(b)];
        if (left === "" || right === "") return (left === "") - (right === "");
        return sign * (numbers ? left - right : left.localeCompare(right, "en", { numeric: true }));
      }));
    });
  });
}

const drawn = [...document.querySelectorAll("[data-line]")];
const light = (place) => {
  for (const part of drawn) part.classList.toggle("dim", place !== null && part.dataset.line !== place);
};
for (const part of drawn) {
  part.addEventListener("mouseenter", () => light(part.dataset.line));
  part.addEventListener("mouseleave", () => light(null));
}
