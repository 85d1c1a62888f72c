'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { visibleText } from '../../../client/text/visible-text.ts';
import { usePersonName } from '../../person/person.tsx';
import { useApprovalCard } from '../card-context.ts';
import { useElapsedTime } from '../use-time.ts';

/**
 * How often the asker has completed calls about the same, such as payments to this payee, and who denied one last. Renders
 * nothing for a tool without a `subject`. `data-new`: none has completed.
 *
 * @source ADR 0040
 */
export function CardHistory({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words } = useApprovalCard();
  const { history } = question;
  const nameOf = usePersonName();
  const passed = useElapsedTime(history?.lastAt);
  const deniedAgo = useElapsedTime(history?.denied?.at);
  if (!history) return null;
  const { subject, count, denied } = history;
  const denial = denied && { by: visibleText(nameOf(denied.by)), passed: deniedAgo };
  return (
    <p data-countersign="card-history" data-new={count === 0 || undefined} {...rest}>
      {children ?? words.history({ subject: visibleText(subject), count, passed, denied: denial })}
    </p>
  );
}
