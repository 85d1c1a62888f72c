'use client';

import { usePersonName } from '../../../react/person/person.tsx';
import type { UpcomingCall } from '../client/upcoming-api.ts';
import { CallEvidence } from './call-evidence.tsx';
import type { UpcomingWords } from './words.ts';

/** One call with its evidence, and its checkbox or who pre-approved it. */
export function UpcomingRow({
  call: { question, approved, onlyWhenDue },
  words,
  isTicked,
  onTick,
  onTakeBack,
}: {
  call: UpcomingCall;
  words: UpcomingWords;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
  onTakeBack: () => void;
}) {
  const nameOf = usePersonName();
  const state = approved ? 'approved' : onlyWhenDue ? 'fixed' : 'open';
  return (
    <li data-countersign="upcoming-call" data-state={state}>
      <CallEvidence question={question} state={state} />
      {state === 'open' && (
        <label data-countersign="inbox-check">
          <input
            type="checkbox"
            aria-label={`${words.tick}: ${question.description}`}
            checked={isTicked}
            onChange={({ target }) => onTick(target.checked)}
          />
          <span>{words.tick}</span>
        </label>
      )}
      {onlyWhenDue && <p data-countersign="upcoming-note">{words.onlyWhenDue(onlyWhenDue)}</p>}
      {approved && (
        <p data-countersign="upcoming-note">
          {words.approved(nameOf(approved.by))}
          <button
            type="button"
            data-countersign="inbox-button"
            data-kind="quiet"
            aria-label={`${words.takeBack}: ${question.description}`}
            onClick={onTakeBack}
          >
            {words.takeBack}
          </button>
        </p>
      )}
    </li>
  );
}
