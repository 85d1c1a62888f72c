/**
 * Scrolls to a question with what will happen in view: its beginning, when the card is taller than the room for it.
 * Nobody should meet the buttons before the terms.
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
