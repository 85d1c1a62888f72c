const regionName = 'announcer';

/** Screen readers announce changes only of a region that they already know. Milliseconds. */
const noticeMs = 100;

/**
 * How long an announcement stays, in milliseconds, so that later ones are read after it and not instead of
 * it.
 */
const readMs = 5_000;

const hiddenStyle =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';

/**
 * Announces a text to screen readers, politely, through one live region of the document, which is created on first use.
 * Announcements in quick succession are all read, in their order.
 */
export function announce(words: string, document: Document = globalThis.document): void {
  const region = regionOf(document);
  setTimeout(() => {
    // A new element makes the same text count as a new announcement.
    const line = document.createElement('p');
    line.textContent = words;
    region.append(line);
    setTimeout(() => line.remove(), readMs);
  }, noticeMs);
}

function regionOf(document: Document): Element {
  const existing = document.querySelector(`[data-countersign="${regionName}"]`);
  if (existing) return existing;
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  // Only what is new is read.
  region.setAttribute('aria-atomic', 'false');
  region.setAttribute('data-countersign', regionName);
  region.style.cssText = hiddenStyle;
  document.body.append(region);
  return region;
}
