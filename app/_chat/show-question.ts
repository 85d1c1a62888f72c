/**
 * Scrolls to a question with what will happen in view: its beginning, when the card is taller than the room
 * for it. Nobody should meet the buttons before the terms.
 */
export function showQuestion(card: Element): void {
  const room = card.closest('[data-conversation]')?.clientHeight ?? window.innerHeight;
  card.scrollIntoView({ block: card.clientHeight > room ? 'start' : 'nearest' });
}
