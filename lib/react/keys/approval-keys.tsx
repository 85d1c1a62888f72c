'use client';

import {
  type ComponentPropsWithoutRef,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react';
import { useLatest } from '../use-latest.ts';
import { useKeyWords } from '../words/key-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import {
  actionOfKey,
  cardForKey,
  type KeyAction,
  moveToQuestion,
  press,
  takesApproval,
} from './key-actions.ts';
import { KeyList } from './key-list.tsx';
import { useSingleKeys } from './use-single-keys.ts';

const ShowListContext = createContext<(() => void) | undefined>(undefined);

/**
 * Single-key shortcuts for every card and inbox of the page: `j` and `k` move between questions, `a`, `d` and
 * `e` approve, deny and edit the one with the focus, `?` lists the keys. Approving a high-risk question
 * requires confirmation. Nothing happens while a person types, with a modifier, or in a dialog. In the list,
 * a person can turn the shortcuts off (WCAG 2.1.4). Render it once, around the page.
 *
 * @source H13
 */
export function ApprovalKeys({ children }: { children: ReactNode }) {
  const words = useKeyWords();
  const [isOn, setOn] = useSingleKeys();
  const [isListed, setListed] = useState(false);
  const [toConfirm, setToConfirm] = useState<{ card: HTMLElement; shown: string }>();

  const act = useLatest((action: KeyAction): boolean => {
    if (action === 'next') return moveToQuestion(1);
    if (action === 'previous') return moveToQuestion(-1);
    if (action === 'list') {
      setListed(true);
      return true;
    }
    const card = cardForKey();
    if (!card) return false;
    // A card that does not accept answers now is not confirmed either.
    if (action === 'approve' && card.dataset.risk === 'high' && takesApproval(card))
      setToConfirm({ card, shown: shownBy(card) });
    else press(card, `card-${action}`);
    return true;
  });

  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const action = actionOfKey(event);
      if (action && act(action)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, act]);

  return (
    <ShowListContext.Provider value={() => setListed(true)}>
      {children}
      {isListed && <KeyList isOn={isOn} onChange={setOn} onClose={() => setListed(false)} />}
      {toConfirm && (
        <ConfirmDialog
          title={words.confirmTitle}
          words={words}
          onClose={(isConfirmed) => {
            const { card, shown } = toConfirm;
            setToConfirm(undefined);
            // Changes while the dialog was open were not confirmed.
            if (isConfirmed && shownBy(card) === shown) press(card, 'card-approve');
          }}
        >
          {toConfirm.card.querySelector('[data-countersign="card-description"]')?.textContent}
        </ConfirmDialog>
      )}
    </ShowListContext.Provider>
  );
}

/** The sentence of a card. */
function shownBy(card: HTMLElement): string {
  const parts = card.querySelectorAll(
    '[data-countersign="card-description"], [data-countersign="card-effect"]',
  );
  return Array.from(parts, ({ textContent }) => textContent).join('\n');
}

/** Opens the list of keys. @throws Error outside of `ApprovalKeys` */
export function ApprovalKeysButton({ children, onClick, ...rest }: ComponentPropsWithoutRef<'button'>) {
  const showList = useContext(ShowListContext);
  const words = useKeyWords();
  if (!showList) throw new Error('ApprovalKeysButton was rendered outside of ApprovalKeys. Put it inside.');
  return (
    <button
      type="button"
      data-countersign="keys-button"
      aria-haspopup="dialog"
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) showList();
      }}
    >
      {children ?? words.title}
    </button>
  );
}
