'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { visibleText } from '../../../client/text/visible-text.ts';
import { useApprovalCard } from '../card-context.ts';

/**
 * Calls of the same turn that failed before the question was asked, and why: their results may be withheld
 * until the last answer. Renders nothing without such a call, or once the question is settled. `data-outcome`
 * of an item is `failed` or `unknown`.
 *
 * @source S4
 */
export function CardEarlier({ children, ...rest }: ComponentPropsWithoutRef<'ul'>) {
  const { question, words, ids } = useApprovalCard();
  if (question.state !== 'open' || !question.earlier) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
    <ul role="list" data-countersign="card-earlier" id={ids.earlier} {...rest}>
      {children ??
        question.earlier.map((call) => (
          <li key={call.toolCallId} data-outcome={call.outcome}>
            {visibleText(words.earlier(call))}
          </li>
        ))}
    </ul>
  );
}
