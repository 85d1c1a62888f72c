// Files of one worker share their modules and, in jsdom, the document: what the file before left in it goes.
if (globalThis.document !== undefined) {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
}
