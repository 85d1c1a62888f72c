'use client';

import { type ComponentPropsWithoutRef, useEffect, useState } from 'react';
import { type TimeLeft, timeLeft } from '../../../client/time-left.ts';
import { useApprovalCard } from '../card-context.ts';
import { Glyph } from '../glyph.tsx';

const tickMs = 10_000;

/**
 * Warns that the same call ran or was approved a short time ago. Renders nothing without such a call, and once the
 * question is settled. `data-outcome` is its outcome.
 *
 * @source H13, ADR 0021
 */
export function Repeat({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words, ids } = useApprovalCard();
  const repeat = question.state === 'open' ? question.repeatOf : undefined;
  const passed = useElapsedTime(repeat?.at);
  if (!repeat) return null;
  return (
    <p data-countersign="card-repeat" data-outcome={repeat.outcome} id={ids.repeat} {...rest}>
      <Glyph name="alert" size={16} />
      {children ?? <time dateTime={repeat.at}>{words.repeated(repeat.outcome, passed)}</time>}
    </p>
  );
}

/** Time since a moment; `undefined` without one, and while rendering on the server, which does not know the browser's clock. */
export function useElapsedTime(at: string | undefined): TimeLeft | undefined {
  const [now, setNow] = useState<number>();

  useEffect(() => {
    if (at === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [at]);

  return at === undefined || now === undefined ? undefined : timeLeft(now - Date.parse(at));
}
