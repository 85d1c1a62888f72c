/**
 * Scrolls a question into view: to its beginning when the card is taller than the visible area, so that the description
 * is read before the buttons.
 */
export function showQuestion(card: Element): void {
  const room = scrollerOf(card)?.clientHeight ?? window.innerHeight;
  card.scrollIntoView({ block: card.clientHeight > room ? 'start' : 'nearest' });
}

function scrollerOf(element: Element): Element | undefined {
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(above).overflowY)) return above;
  }
  return undefined;
}
