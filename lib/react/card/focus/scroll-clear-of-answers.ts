/** Scrolls a part of a card out from behind the card's answers, if a stylesheet keeps those in view. */
export function scrollClearOfAnswers(part: Element | null): void {
  const card = part?.closest('[data-countersign="card"]');
  const answers = card?.querySelector('[data-countersign="card-actions"]');
  if (!part || !answers) return;
  const isHidden = () => part.getBoundingClientRect().bottom > answers.getBoundingClientRect().top;
  if (isHidden()) part.scrollIntoView({ block: 'center' });
  // Large text on a small screen: the answers take more than half of it.
  if (isHidden()) part.scrollIntoView({ block: 'start' });
}
