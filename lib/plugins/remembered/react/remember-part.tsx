'use client';

import { type ReactNode, useId } from 'react';
import { visibleText } from '../../../client/text/visible-text.ts';
import { useApprovalCard } from '../../../react/card/card-context.ts';
import type { Remember } from '../client/fields.ts';
import type { RememberWords } from './words.ts';

/**
 * Chooses which later calls the approval covers. Closed at first; nothing is remembered by default. Describes
 * what will be allowed. Renders nothing if this person may not remember approvals.
 */
export function RememberPart({ words }: { words: RememberWords }) {
  const { question, canApprove, added, setAdded } = useApprovalCard();
  const id = useId();
  const { remembered: remember, ...others } = added.plugins ?? {};
  const choose = (chosen: Remember | undefined) =>
    setAdded({ ...added, plugins: chosen ? { ...others, remembered: chosen } : others });
  if (!canApprove || !question.mayRemember) return null;
  const scopes = [
    { scope: undefined, label: words.once },
    { scope: 'chat', label: words.inThisChat },
    { scope: 'me', label: words.always },
  ] as const;
  const matches = [
    { match: 'exact-arguments', label: words.exactArguments },
    { match: 'tool', label: words.anyArguments },
  ] as const;
  const match: Remember['match'] = remember?.match ?? 'exact-arguments';
  return (
    <details data-countersign="card-part" data-plugin="remembered" data-chosen={remember ? true : undefined}>
      <summary data-countersign="card-toggle">{words.remember}</summary>
      <Choices legend={words.rememberScope}>
        {scopes.map(({ scope, label }) => (
          <Choice
            key={label}
            name={`${id}-scope`}
            label={label}
            isChosen={remember?.scope === scope}
            onChoose={() => choose(scope && { scope, match })}
          />
        ))}
      </Choices>
      {remember && (
        <>
          <Choices legend={words.rememberMatch}>
            {matches.map((one) => (
              <Choice
                key={one.match}
                name={`${id}-match`}
                label={one.label}
                isChosen={match === one.match}
                onChoose={() => choose({ ...remember, match: one.match })}
              />
            ))}
          </Choices>
          <p data-countersign="card-warning" data-match={match} role="status">
            {words.remembered(remember, visibleText(question.title))}
          </p>
        </>
      )}
    </details>
  );
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset data-countersign="choices">
      <legend>{legend}</legend>
      <div data-countersign="choices-row">{children}</div>
    </fieldset>
  );
}

function Choice({
  name,
  label,
  isChosen,
  onChoose,
}: {
  name: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label data-countersign="choice" data-chosen={isChosen || undefined}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}
