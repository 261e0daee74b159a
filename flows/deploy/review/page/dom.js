// Text reaches the page as text nodes only, so nothing in a document or an answer becomes markup.
export const byId = (id) => document.getElementById(id);

export const el = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties || {});
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

// Text that somebody else wrote: it settles its own direction.
export const text = (name, className, content) => el(name, { className, dir: "auto", textContent: content });

export const count = (number) => number.toLocaleString("en");

export const many = (number, one, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`;

// A button that says its key.
export const button = (label, key, act, properties = {}) => {
  const made = el("button", { type: "button", ...properties }, label, key ? el("kbd", { textContent: key, ariaHidden: "true" }) : null);
  made.addEventListener("click", act);
  if (key) made.setAttribute("aria-keyshortcuts", key === "←" ? "ArrowLeft" : key === "→" ? "ArrowRight" : key);
  return made;
};

export const cut = (string, length) => ([...string].length > length ? `${[...string].slice(0, length).join("")}…` : string);
