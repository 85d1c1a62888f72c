'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { visibleText } from '../../../client/visible-text.ts';
import { useApprovalCard } from '../card-context.ts';
import { useElapsedTime } from '../use-time.ts';

/**
 * How many calls with the same subject the asker has completed, such as payments to this payee. Renders
 * nothing for a tool without a `subject`. `data-new`: this is the first.
 *
 * @source ADR 0040
 */
export function History({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words } = useApprovalCard();
  const { history } = question;
  const passed = useElapsedTime(history?.lastAt);
  if (!history) return null;
  const { subject, count } = history;
  return (
    <p data-countersign="card-history" data-new={count === 0 || undefined} {...rest}>
      {children ?? words.history({ subject: visibleText(subject), count, passed })}
    </p>
  );
}
