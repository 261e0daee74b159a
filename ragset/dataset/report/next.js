// The commands name the folder of this page, where it is opened as a file.
if (location.protocol === "file:") {
  const folder = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, "");
  const quoted = /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'"'"'`)}'`;
  for (const place of document.querySelectorAll("[data-folder]")) place.textContent = quoted;
  document.querySelector("[data-folder-hint]")?.remove();
}
