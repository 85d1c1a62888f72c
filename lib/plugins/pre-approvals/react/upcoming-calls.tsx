'use client';

import { useId, useRef, useState } from 'react';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { useInbox } from '../../../react/inbox/inbox-context.ts';
import { totalsOf } from '../client/totals.ts';
import type { UpcomingCall } from '../client/upcoming-api.ts';
import { ConfirmUpcoming } from './confirm-upcoming.tsx';
import { UpcomingRow } from './upcoming-row.tsx';
import { useUpcoming } from './use-upcoming.ts';
import { useUpcomingChoice } from './use-upcoming-choice.ts';
import type { UpcomingWords } from './words.ts';

/**
 * The upcoming calls of the same step, each with a checkbox to pre-approve it. Renders nothing if
 * there are none that this person may answer.
 *
 * @source ADR 0041
 */
export function UpcomingCalls({ question, words }: { question: Question; words: UpcomingWords }) {
  const { inbox } = useInbox();
  const upcoming = useUpcoming(inbox.approvals, question);
  const { calls, isBusy } = upcoming;
  const [isConfirming, setConfirming] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // The button that was pressed may be gone.
  const onSent = () => heading.current?.focus();
  const { open, chosen, notice, isTicked, tick, send } = useUpcomingChoice(upcoming, words, onSent);
  const risky = chosen.filter((call) => call.question.risk === 'high');
  if (calls.length === 0) return null;

  return (
    // The keys of the card above would answer its question.
    <section aria-labelledby={id} data-countersign="upcoming" data-keeps-keys="">
      <h3 ref={heading} id={id} tabIndex={-1}>
        {words.title}
      </h3>
      <Sums calls={calls} words={words} />
      <p data-countersign="upcoming-note">{words.hint}</p>
      <p role="status">{notice}</p>
      {open.length > 1 && (
        <label data-countersign="inbox-check">
          <input
            type="checkbox"
            checked={chosen.length === open.length}
            onChange={({ target }) => tick(open, target.checked)}
          />
          <span>{words.all}</span>
        </label>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari */}
      <ul role="list" data-countersign="upcoming-list">
        {calls.map((call) => (
          <UpcomingRow
            key={call.question.id}
            call={call}
            words={words}
            isTicked={isTicked(call)}
            onTick={(isChecked) => tick([call], isChecked)}
            onTakeBack={() => void send([call], false)}
          />
        ))}
      </ul>
      {open.length > 0 && (
        <button
          type="button"
          data-countersign="inbox-button"
          data-kind="submit"
          aria-disabled={isBusy || chosen.length === 0}
          onClick={() => {
            if (chosen.length === 0) return;
            if (risky.length > 0) setConfirming(true);
            else void send(chosen, true);
          }}
        >
          {isBusy ? words.approving : words.approve(chosen.length)}
        </button>
      )}
      {isConfirming && (
        <ConfirmUpcoming
          calls={risky}
          words={words}
          onClose={(isConfirmed) => {
            setConfirming(false);
            if (isConfirmed) void send(chosen, true);
          }}
        />
      )}
    </section>
  );
}

/** How many calls of each tool follow, and the total of their amounts. */
function Sums({ calls, words }: { calls: readonly UpcomingCall[]; words: UpcomingWords }) {
  const tools = new Set(calls.map(({ question }) => question.toolName));
  return [...tools].map((toolName) => {
    const own = calls.filter(({ question }) => question.toolName === toolName);
    const totals = totalsOf(own.map(({ question: { input, runsAs } }) => runsAs ?? input));
    const title = visibleText(own[0]?.question.title ?? toolName);
    return <p key={toolName}>{words.more(own.length, title, totals)}</p>;
  });
}
