// Who judges: asked once, and kept in this browser.
import { byId, el, text } from "./dom.js";
import { Refusal, ask, pause } from "./server.js";

const NAME = "ragset-review/reviewer";

const askName = (names, cancelable) =>
  new Promise((then) => {
    const dialog = byId("sign");
    byId("names").replaceChildren(...names.map((value) => el("option", { value })));
    byId("name").value = localStorage.getItem(NAME) ?? "";
    dialog.oncancel = (event) => cancelable || event.preventDefault();
    dialog.onclose = () => then(byId("name").value.trim().replace(/\s+/g, " ") || null);
    dialog.showModal();
  });

// What the set is and who judges it; asks until the server answers.
export const signIn = async (fail) => {
  for (;;) {
    let name = localStorage.getItem(NAME);
    try {
      const about = await ask("start", { reviewer: name ?? "" });
      if (about.folders) {
        const links = about.folders.map((name) => el("li", {}, el("a", { href: `./${name.split("/").map(encodeURIComponent).join("/")}/` }, text("bdi", "", name))));
        byId("rest").replaceChildren(el("h2", { textContent: "What to review?" }), el("ul", {}, ...links));
        byId("rest").hidden = false;
        await new Promise(() => {});
      }
      document.title = `Review of ${about.name} · ragset`;
      byId("set").textContent = about.name;
      if (!name) {
        name = await askName(about.reviewers, false);
        if (name) localStorage.setItem(NAME, name);
        continue;
      }
      byId("message").hidden = true;
      byId("who").hidden = false;
      byId("who").replaceChildren(text("bdi", "", name));
      byId("who").title = "Another name";
      byId("who").addEventListener("click", async () => {
        const other = await askName(about.reviewers, true);
        if (!other || other === name) return;
        localStorage.setItem(NAME, other);
        location.reload();
      });
      return { about, reviewer: name };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fail(error);
      if (error.status === 422 && name) {
        localStorage.removeItem(NAME); // it may be the name that is refused
        continue;
      }
      if (error.status) await new Promise(() => {}); // the link is wrong, or the folder: nothing changes by itself
      await pause(2);
    }
  }
};
