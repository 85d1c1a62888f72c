'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useApprovalCard } from '../card-context.ts';
import { Glyph } from '../glyph.tsx';
import { useElapsedTime } from '../use-time.ts';

/**
 * Warns that the same call ran or was approved a short time ago, with a link to it if the card has
 * `repeatHref`. Renders nothing without such a call, or once the question is settled. `data-outcome` is its
 * outcome.
 *
 * @source H13, ADR 0021
 */
export function CardRepeat({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words, ids, repeatHref } = useApprovalCard();
  const repeat = question.state === 'open' ? question.repeatOf : undefined;
  const passed = useElapsedTime(repeat?.at);
  if (!repeat) return null;
  const href = repeatHref?.(repeat);
  return (
    <p data-countersign="card-repeat" data-outcome={repeat.outcome} id={ids.repeat} {...rest}>
      <Glyph name="alert" size={16} />
      {children ?? (
        <span>
          <time dateTime={repeat.at}>{words.repeated(repeat.outcome, passed)}</time>
          {href !== undefined && (
            <>
              {' '}
              <a href={href}>{words.showRepeat}</a>
            </>
          )}
        </span>
      )}
    </p>
  );
}
