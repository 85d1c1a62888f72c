'use client';

import { type ComponentPropsWithoutRef, createElement, useEffect, useRef } from 'react';
import { visibleText } from '../../client/text/visible-text.ts';
import { usePersonName } from '../person/person.tsx';
import { announce } from './announce.ts';
import { useApprovalCard } from './card-context.ts';
import { Sentence } from './evidence/sentence.tsx';
import { Glyph } from './glyph.tsx';
import { Seal } from './seal.tsx';
import { useElapsedTime, useRemainingTime } from './use-time.ts';

/** When the remaining time is announced, in seconds before the deadline. */
const spokenAt = [300, 60, 15];

/** The top line: that an approval is needed, the place in the queue and the risk. */
export function CardHeading({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { question, words } = useApprovalCard();
  const isSettled = question.state !== 'open';
  const yours = question.needsValue ? words.valueKicker : words.kicker;
  const kicker = question.mayAnswer ? yours : words.notYoursKicker;
  return (
    <div data-countersign="card-heading" {...rest}>
      {children ?? (
        <>
          {question.state === 'approved' && <Seal tone="stamp" />}
          <span data-countersign="card-kicker">{isSettled ? words.settledKicker : kicker}</span>
          <CardPosition />
          <CardRisk />
        </>
      )}
    </div>
  );
}

/** “1 of 2”. Renders nothing if the queue is not known, or has no other question. */
export function CardPosition({ children, ...rest }: ComponentPropsWithoutRef<'span'>) {
  const { question, words } = useApprovalCard();
  const place = question.state === 'open' && question.position && words.place(question.position);
  return place ? (
    <span data-countersign="card-position" {...rest}>
      {children ?? place}
    </span>
  ) : null;
}

/** How much harm a wrong call does, and why. Renders nothing if the tool has no risk. `data-risk` is the level. */
export function CardRisk({ children, ...rest }: ComponentPropsWithoutRef<'span'>) {
  const { question, words } = useApprovalCard();
  return question.risk ? (
    <span data-countersign="card-risk" data-risk={question.risk} {...rest}>
      {children ?? (
        <>
          <span>{words.risk(question.risk)}</span>
          {question.riskReason && <bdi>: {visibleText(question.riskReason)}</bdi>}
        </>
      )}
    </span>
  ) : null;
}

/**
 * What will happen, in a sentence: the card's heading, and its name. Once the arguments are edited, it shows
 * the proposal's sentence, marked as such, until the server has returned a new one.
 *
 * @param level of the heading; default 2
 */
export function CardDescription({
  level = 2,
  children,
  ...rest
}: { level?: 2 | 3 | 4 | 5 | 6 } & ComponentPropsWithoutRef<'h2'>) {
  const { question, words, ids, editing, previewed } = useApprovalCard();
  const { description } = previewed;
  const isEdited = editing.changes.length > 0 && description === undefined;
  const needed = question.needsValue ? words.answerNeeded : words.approvalNeeded;
  return createElement(
    `h${level}`,
    {
      'data-countersign': 'card-description',
      'data-edited': isEdited || undefined,
      id: ids.heading,
      ...rest,
    },
    question.state === 'open' && <span data-countersign="unseen">{needed}: </span>,
    isEdited && <span data-countersign="card-proposed">{words.proposed} </span>,
    children ?? (
      <Sentence
        text={description ?? question.description}
        input={[question.input, editing.input, question.runsAs]}
      />
    ),
  );
}

/** Which tool asks, and for whom. */
export function CardAsker({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words } = useApprovalCard();
  const nameOf = usePersonName();
  const tool = (
    <>
      <strong>{visibleText(question.title)}</strong> <code>{visibleText(question.toolName)}</code>
    </>
  );
  const person = question.askedBy && <span>{nameOf(question.askedBy)}</span>;
  return (
    <p data-countersign="card-asker" {...rest}>
      {children ?? words.asker(tool, person)}
    </p>
  );
}

/**
 * How long an open question has waited; its exact time is the title. Renders nothing if the time of asking is
 * unknown.
 */
export function CardWaiting({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words } = useApprovalCard();
  const at = question.state === 'open' ? question.requestedAt : undefined;
  const passed = useElapsedTime(at);
  if (at === undefined) return null;
  return (
    <p data-countersign="card-waiting" {...rest}>
      {children ?? (
        <time dateTime={at} title={passed && words.moment(new Date(at))}>
          {passed && words.waiting(passed)}
        </time>
      )}
    </p>
  );
}

/** The remaining time, updated every second and announced a few times. Renders nothing without a deadline. */
export function CardDeadline({ children, ...rest }: ComponentPropsWithoutRef<'p'>) {
  const { question, words, canAnswer } = useApprovalCard();
  const deadline = question.state === 'open' ? question.deadline : undefined;
  const left = useRemainingTime(deadline);
  const seconds = left && left.hours * 3600 + left.minutes * 60 + left.seconds;
  const before = useRef<number>(undefined);
  const spoken = left && words.spokenTimeLeft(left);

  useEffect(() => {
    const crossed = spokenAt.some(
      (limit) => (before.current ?? 0) > limit && (seconds ?? limit + 1) <= limit,
    );
    before.current = seconds;
    if (crossed && canAnswer && spoken !== undefined) announce(spoken);
  }, [seconds, spoken, canAnswer]);

  if (deadline === undefined) return null;
  return (
    <p
      data-countersign="card-deadline"
      data-urgent={seconds !== undefined && seconds <= 60 ? true : undefined}
      {...rest}
    >
      <Glyph name="clock" size={16} />
      {children ?? (
        <time dateTime={deadline}>{left && (seconds ? words.timeLeft(left) : words.timeIsUp)}</time>
      )}
    </p>
  );
}
