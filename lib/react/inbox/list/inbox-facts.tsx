'use client';

import { memo } from 'react';
import { keyArgument } from '../../../client/inbox/key-argument.ts';
import type { Question } from '../../../client/question.ts';
import { answererName } from '../../../client/text/answerer-name.ts';
import { readableField } from '../../../client/text/readable-field.ts';
import { timeLeft } from '../../../client/text/time-left.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { Moment } from '../../card/moment.tsx';
import { usePersonName } from '../../person/person.tsx';
import { RowLines } from '../../plugins/plugin-lines.tsx';
import { useCardWords } from '../../words/card-words.ts';
import { useInboxWords } from '../../words/inbox-words.ts';

/**
 * The line below a question's sentence: its risk, tool, asker and chat, an argument that the sentence omits,
 * how long it has waited, its deadline, and what plugins say; once settled, how, by whom and when.
 *
 * @param now epoch milliseconds; `undefined` in the server's HTML
 * @param chat the title of its chat, if it is known
 * @param difference from rows that look identical
 */
export const InboxFacts = memo(function InboxFacts({
  question,
  now,
  chat,
  difference,
}: {
  question: Question;
  now: number | undefined;
  chat?: string | undefined;
  difference?: string | undefined;
}) {
  const words = useInboxWords();
  const nameOf = usePersonName();
  if (question.state !== 'open') return <SettledFacts question={question} />;
  const { title, askedBy, requestedAt, risk, riskReason } = question;
  const argument = keyArgument(question);
  return (
    <span data-countersign="inbox-item-facts">
      {risk && (
        <span data-countersign="inbox-risk" data-risk={risk}>
          <span>{words.risks[risk]}</span>
          {riskReason && <bdi>: {visibleText(riskReason)}</bdi>}
        </span>
      )}{' '}
      <span>{visibleText(title)}</span> {askedBy && <span>{words.askedBy(nameOf(askedBy))}</span>}{' '}
      {chat !== undefined && (
        <span data-countersign="inbox-item-chat-title">{words.inChat(visibleText(chat))}</span>
      )}{' '}
      {argument && (
        <span data-countersign="inbox-item-argument">
          {words.argument(readableField(argument.name), visibleText(argument.value))}
        </span>
      )}{' '}
      {difference !== undefined && <bdi data-countersign="inbox-item-argument">{difference}</bdi>}{' '}
      {requestedAt !== undefined && <Waiting since={requestedAt} now={now} />}{' '}
      <Deadline deadline={question.deadline} now={now} /> <RowLines question={question} />
    </span>
  );
});

function SettledFacts({ question: { state, answer } }: { question: Question }) {
  const card = useCardWords();
  const nameOf = usePersonName();
  return (
    <span data-countersign="inbox-item-facts" data-state={state}>
      <strong>{card.settled({ state, answer })}</strong>{' '}
      {answer && (
        <span>
          {card.by(answererName(answer, nameOf, card))}, <Moment at={answer.at} />
        </span>
      )}
      {answer?.reason && ' '}
      {answer?.reason && <q>{visibleText(answer.reason)}</q>}
    </span>
  );
}

function Waiting({ since, now }: { since: string; now: number | undefined }) {
  const words = useInboxWords();
  const card = useCardWords();
  return (
    <time dateTime={since} title={now === undefined ? undefined : card.moment(new Date(since))}>
      {now !== undefined && words.waiting(timeLeft(now - Date.parse(since)))}
    </time>
  );
}

/** Rounded to minutes: the card counts the seconds. */
function Deadline({ deadline, now }: { deadline: string | undefined; now: number | undefined }) {
  const words = useInboxWords();
  if (deadline === undefined || now === undefined) return null;
  const left = Date.parse(deadline) - now;
  return (
    <time
      dateTime={deadline}
      data-countersign="inbox-item-deadline"
      data-urgent={left <= 5 * 60_000 || undefined}
    >
      {words.expires(timeLeft(left))}
    </time>
  );
}
