import { useCallback, useEffect, useState } from 'react';
import type { ApprovalInboxState } from '../../client/inbox/inbox.ts';
import type { Question } from '../../client/question.ts';
import { useLatest } from '../use-latest.ts';
import type { InboxView } from './inbox-context.ts';

/** What is shown, and who chose it. `left` was shown before. */
type Shown = { readonly id?: string; readonly by: 'page' | 'person'; readonly left?: string | undefined };

/**
 * The question that is shown next to the list. A single question is shown from the start; otherwise one is
 * shown once it is selected. A question stays shown after it was settled, so that its outcome can be read. *
 * `isChosen`: a person chose it. On a narrow page it replaces the list only then, and is below it before.
 */
export function useOpenedQuestion(
  { questions, settled, more }: ApprovalInboxState,
  ids: InboxView['ids'],
): { opened: Question | undefined; isChosen: boolean; open: InboxView['open'] } {
  const [choice, setShown] = useState<Shown>({ by: 'page' });
  const { id: shown, by } = choice;
  const [only] = questions.length === 1 && !more ? questions : [];
  // A question that was shown because it was the only one stays when another arrives, until it has left the
  // list.
  if (by === 'page' && only && !questions.some(({ id }) => id === shown)) {
    setShown({ id: only.id, by: 'page' });
  }

  const opened = [...questions, ...settled].find(({ id }) => id === shown);
  const before = useLatest(() => shown);
  const open = useCallback(
    (id: string | undefined) => setShown({ id, by: 'person', left: before() }),
    [before],
  );

  useEffect(() => {
    if (choice.by === 'page') return;
    if (choice.id !== undefined) focusDetail(ids.detail);
    else if (choice.left !== undefined) document.getElementById(ids.row(choice.left))?.focus();
  }, [choice, ids]);
  return { opened, isChosen: by === 'person', open };
}

/**
 * The card takes the focus, so that it is read and its keys work. If it replaces the list, its beginning is
 * shown, even if it is taller than the page.
 */
function focusDetail(id: string): void {
  const detail = document.getElementById(id);
  if (!detail) return;
  (detail.querySelector<HTMLElement>('[data-countersign="card"]') ?? detail).focus({ preventScroll: true });
  // Next to the list it is always in view.
  if (getComputedStyle(detail).position !== 'sticky') detail.scrollIntoView?.({ block: 'start' });
}
