/** What a single key does. */
export type KeyAction = 'next' | 'previous' | 'approve' | 'deny' | 'edit' | 'list';

/** The keys, in the order of the list that `?` shows. */
export const keyActions: Readonly<Record<string, KeyAction>> = {
  j: 'next',
  k: 'previous',
  a: 'approve',
  d: 'deny',
  e: 'edit',
  '?': 'list',
};

const typing =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"], [role="listbox"], [role="menu"], [data-keeps-keys]';

const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"]';

/**
 * The action of a key press. None while a person types, with a modifier, in a dialog, for a held key, or for
 * a key that another handler has used.
 */
export function actionOfKey(event: KeyboardEvent): KeyAction | undefined {
  const { key, target, ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return undefined;
  if (target instanceof Element && target.closest(typing)) return undefined;
  if ([...document.querySelectorAll(dialogs)].some(isShown)) return undefined;
  return Object.hasOwn(keyActions, key) ? keyActions[key] : undefined;
}

/** Other libraries leave closed dialogs in the document. */
function isShown(element: Element): boolean {
  // Not in every browser yet.
  return 'checkVisibility' in element
    ? element.checkVisibility()
    : getComputedStyle(element).display !== 'none';
}

const openCard = '[data-countersign="card"][data-state="open"]';
const row = '[data-countersign="inbox-item-toggle"]';

/**
 * Moves the focus to the next or previous question: a row of an inbox, or a card outside of one. Stops at both ends.
 *
 * @returns whether there was a question
 */
export function moveToQuestion(step: 1 | -1): boolean {
  const places = [...document.querySelectorAll<HTMLElement>(`${row}, ${openCard}`)].filter(
    (place) =>
      !place.closest('[inert]') && (place.matches(row) || !place.closest('[data-countersign="inbox"]')),
  );
  const now = places.findIndex((place) => isAt(place, document.activeElement));
  const next = now === -1 ? places.at(step === 1 ? 0 : -1) : (places[now + step] ?? places[now]);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/**
 * The card that a key is about: the one with the focus, or that of the row with the focus, if it is open.
 * Otherwise, the page's only open card receives focus and nothing else happens, because people must see what
 * they answer.
 */
export function cardForKey(): HTMLElement | undefined {
  const active = document.activeElement;
  const cards = [...document.querySelectorAll<HTMLElement>(openCard)].filter(
    (card) => !card.closest('[inert]'),
  );
  const rows = [...document.querySelectorAll<HTMLElement>(row)];
  const at = cards.find((card) => card.contains(active));
  if (at) return at;
  const chosen = rows.find((one) => one === active);
  if (chosen)
    return chosen.getAttribute('aria-expanded') === 'true'
      ? cards.find((card) => shownBy(chosen)?.contains(card))
      : undefined;
  if (cards.length === 1) {
    cards[0]?.focus({ preventScroll: true });
    cards[0]?.scrollIntoView({ block: 'nearest' });
  }
  return undefined;
}

/** Whether a card can be approved now: its buttons are not blocked, sending or paused. */
export function takesApproval(card: HTMLElement): boolean {
  const button = card.querySelector('[data-countersign="card-approve"]');
  return button !== null && button.getAttribute('aria-disabled') !== 'true';
}

/** Presses a button of a card, if it is there. */
export function press(card: HTMLElement, part: 'card-approve' | 'card-deny' | 'card-edit'): void {
  card.querySelector<HTMLElement>(`[data-countersign="${part}"]`)?.click();
}

function isAt(place: HTMLElement, active: Element | null): boolean {
  const isShown = place.getAttribute('aria-expanded') === 'true' && shownBy(place)?.contains(active);
  return place.contains(active) || isShown === true;
}

function shownBy(toggle: Element): Element | null {
  return document.getElementById(toggle.getAttribute('aria-controls') ?? '');
}
