'use client';

import type { Question } from '../../client/question.ts';
import { visibleText } from '../../client/visible-text.ts';
import { useCardWords, useInboxWords } from '../words/use-words.ts';

/** The line below a question's sentence: its tool, who asks, when and the risk; once settled, how, by whom and when. */
export function InboxFacts({ question }: { question: Question }) {
  const words = useInboxWords();
  const card = useCardWords();
  const { title, askedBy, requestedAt, risk, state, answer } = question;
  if (state !== 'open') {
    return (
      <span data-countersign="inbox-item-facts" data-state={state}>
        <strong>{card.settled({ state, ...(answer && { answer }) })}</strong>{' '}
        {answer && (
          <span>
            {card.by(visibleText(answer.by.name))}, <Moment at={answer.at} />
          </span>
        )}
        {answer?.reason && ' '}
        {answer?.reason && <q>{visibleText(answer.reason)}</q>}
      </span>
    );
  }
  return (
    <span data-countersign="inbox-item-facts">
      <span>{title}</span>
      {askedBy && <span>{words.askedBy(visibleText(askedBy.name))}</span>}
      {requestedAt !== undefined && <Moment at={requestedAt} />}
      {risk && (
        <span data-countersign="inbox-risk" data-risk={risk}>
          {words.risks[risk]}
        </span>
      )}
    </span>
  );
}

function Moment({ at }: { at: string }) {
  const card = useCardWords();
  return <time dateTime={at}>{card.moment(new Date(at))}</time>;
}
