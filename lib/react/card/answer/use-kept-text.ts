'use client';

import { useEffect } from 'react';
import { forgetUnsent, keepUnsent, readUnsent, type Unsent } from '../../../client/card/unsent.ts';
import type { Question } from '../../../client/question.ts';
import { useLatest } from '../../use-latest.ts';

/**
 * Keeps what is typed about a question in this tab until it is sent, so that it survives other pages, reloads and the answer of
 * another person. An answer that was refused is kept again.
 *
 * @param restore called after hydration with the reason that was kept, if none is given
 */
export function useKeptText(
  { id, input: proposed, state }: Question,
  typed: Unsent,
  refusal: string | undefined,
  restore: (reason: string) => void,
): { readonly keep: (text: Unsent) => void; readonly sent: () => void } {
  const keep = (text: Unsent) => keepUnsent(id, proposed, text);
  const restoreOnce = useLatest(() => {
    const { reason } = readUnsent(id) ?? {};
    if (state === 'open' && typed.reason === '' && reason !== undefined) restore(reason);
  });
  useEffect(() => restoreOnce(), [restoreOnce]);
  const keepAgain = useLatest(() => {
    if (state === 'open') keep(typed);
  });
  useEffect(() => {
    if (refusal !== undefined) keepAgain();
  }, [refusal, keepAgain]);
  return { keep, sent: () => forgetUnsent(id) };
}
