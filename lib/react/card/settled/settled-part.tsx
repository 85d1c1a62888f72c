'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { changesBetween } from '../../../client/card/changes.ts';
import type { ApprovalCardWords } from '../../words/card-words.ts';
import { useApprovalCard } from '../card-context.ts';
import { ChangeList } from '../evidence/change-part.tsx';
import { NotSent, useUnsent } from './not-sent.tsx';
import { SettledLine } from './settled-line.tsx';

/** How the question was decided, by whom, when, and what was changed. Renders nothing while it is open. */
export function CardSettled({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { question, words, ids } = useApprovalCard();
  const { id, state, answer } = question;
  const text = useUnsent(state === 'open' ? undefined : id, [answer?.reason, answer?.input, answer?.value]);
  if (state === 'open') return null;
  return (
    <div data-countersign="card-settled" id={ids.settled} data-state={state} {...rest}>
      {children ?? (
        <>
          <SettledLine
            isApproved={state === 'approved'}
            outcome={words.settled({ state, answer })}
            answer={answer}
          />
          <Edited before={question.input} after={answer?.input} words={words} />
          {text && <NotSent {...text} />}
        </>
      )}
    </div>
  );
}

function Edited({ before, after, words }: { before: unknown; after: unknown; words: ApprovalCardWords }) {
  if (after === undefined) return null;
  return <ChangeList changes={changesBetween(before, after)} heading={words.changed} words={words} />;
}
