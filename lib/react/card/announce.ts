const regionName = 'announcer';

/** A screen reader has to have seen the region before its words change, or it stays silent. Milliseconds. */
const noticeMs = 100;

const hiddenStyle =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';

/**
 * Says something to screen readers, politely, through one live region of the document. It is made when it is first
 * needed and stays. Of two announcements within a moment the newer one is said.
 */
export function announce(words: string, document: Document = globalThis.document): void {
  const region = regionOf(document);
  setTimeout(() => {
    // A new element makes the same words, said twice, two announcements.
    const line = document.createElement('p');
    line.textContent = words;
    region.replaceChildren(line);
  }, noticeMs);
}

function regionOf(document: Document): Element {
  const standing = document.querySelector(`[data-countersign="${regionName}"]`);
  if (standing) return standing;
  const region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.setAttribute('data-countersign', regionName);
  region.style.cssText = hiddenStyle;
  document.body.append(region);
  return region;
}
