'use client';

import { type ComponentPropsWithoutRef, Fragment, type ReactNode } from 'react';
import { answererName } from '../../client/answerer-name.ts';
import type { CallState } from '../../client/calls/tool-call.ts';
import type { SealedLine } from '../../client/decision/load-decision.ts';
import type { Decision, QuestionAnswer, Repeat } from '../../client/question.ts';
import { visibleText } from '../../client/visible-text.ts';
import { OutcomeForm } from '../card/answer/outcome-form.tsx';
import type { OnStepUp } from '../card/answer/use-step-up.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { ResolutionLine } from '../card/settled/resolution-line.tsx';
import { QuestionBoundary } from '../card/unshown/question-boundary.tsx';
import { checkAccepted } from '../inbox/check-accepted.ts';
import { usePersonName } from '../person/person.tsx';
import type { DecisionWords } from '../words/decision-words.ts';
import { useCardWords, useDecisionWords, useInboxWords } from '../words/use-words.ts';
import type { DecisionState } from './use-decision.ts';

/** Props of `DecisionSheet`, and any attribute of its `<article>`. */
export type DecisionSheetProps = Omit<ComponentPropsWithoutRef<'article'>, 'children'> & {
  /** From `useDecision`, once its `decision` is there. */
  readonly decision: NonNullable<DecisionState['decision']>;
  /** Answers the question while it is open: `decide` of `useDecision`. */
  readonly onDecide: DecisionState['decide'];
  /** Records the outcome of its call, where that is unknown: `resolve` of `useDecision`. Default: the sheet does not ask for it. */
  readonly onResolve?: DecisionState['resolve'];
  /** Signs the person in again, where the question needs it: see `ApprovalCard`. */
  readonly onStepUp?: OnStepUp;
  /** The address of its chat, for people who may see it. Default: no link. */
  readonly chatHref?: string;
  /** The address of an earlier identical call: see `ApprovalCard`. Default: no link. */
  readonly repeatHref?: (repeat: Repeat) => string | undefined;
};

/**
 * One decision on one sheet, on screen and on paper: what was asked and why, who answered and when, and the seals of the
 * record. While the question is open, it can be answered here. While the outcome of its call is unknown, it can be recorded here.
 */
export function DecisionSheet(props: DecisionSheetProps) {
  const { decision, onDecide } = props;
  const inbox = useInboxWords();
  const decide = async (answer: Decision) => {
    checkAccepted(await onDecide(answer), inbox);
  };
  return (
    <QuestionBoundary question={decision.question} onDecide={decide}>
      <Sheet {...props} onDecide={decide} />
    </QuestionBoundary>
  );
}

function Sheet({
  decision,
  onDecide,
  onResolve,
  onStepUp,
  chatHref,
  repeatHref,
  ...rest
}: Omit<DecisionSheetProps, 'onDecide'> & { readonly onDecide: (answer: Decision) => Promise<void> }) {
  const words = useDecisionWords();
  const nameOf = usePersonName();
  const card = useCardWords();
  const { question, record, outcome, mayRecord, resolution } = decision;
  return (
    <article
      aria-label={words.sheet}
      data-countersign="decision"
      data-state={question.state}
      tabIndex={-1}
      {...rest}
    >
      <ApprovalCard
        question={question}
        onDecide={onDecide}
        onStepUp={onStepUp}
        repeatHref={repeatHref}
        attention="none"
      />
      {mayRecord && onResolve && (
        <section data-countersign="decision-part">
          <h3>{words.outcome}</h3>
          <OutcomeForm onResolve={onResolve} />
        </section>
      )}
      <section data-countersign="decision-part">
        <h3>{words.details}</h3>
        <dl data-countersign="decision-facts">
          {factsOf(decision, words, (answer) => answererName(answer, nameOf, card), nameOf).map(
            ([label, value]) => (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
          )}
          {(outcome || resolution) && (
            <>
              <dt>{words.outcome}</dt>
              <dd>
                {outcome && (
                  <>
                    <span>{card.callState[stateOf[outcome]]}</span>{' '}
                  </>
                )}
                {resolution && <ResolutionLine resolution={resolution} />}
              </dd>
            </>
          )}
          <dt>{words.chat}</dt>
          <dd>{chatHref === undefined ? question.chatId : <a href={chatHref}>{question.chatId}</a>}</dd>
        </dl>
      </section>
      <section data-countersign="decision-part">
        <h3>{words.record}</h3>
        {record.length === 0 ? <p>{words.noRecord}</p> : <Record lines={record} />}
      </section>
      <button type="button" data-countersign="inbox-button" data-kind="print" onClick={() => window.print()}>
        {words.print}
      </button>
    </article>
  );
}

const stateOf = {
  approved: 'approved',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  unknown: 'unknown',
} as const satisfies Record<Repeat['outcome'], CallState>;

/** What the card does not say, or not exactly. */
function factsOf(
  { question, digest, replaces }: DecisionSheetProps['decision'],
  words: DecisionWords,
  answererOf: (answer: QuestionAnswer) => string,
  nameOf: ReturnType<typeof usePersonName>,
): readonly (readonly [string, ReactNode])[] {
  const { id, toolCallId, requestedAt, deadline, askedBy, answer } = question;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.asked, requestedAt && <Moment at={requestedAt} by={askedBy && nameOf(askedBy)} />],
    [words.deadline, deadline && <Moment at={deadline} />],
    [
      words.answered,
      answer && <Moment at={answer.at} by={answererOf(answer)} also={words.via(answer.via)} />,
    ],
    [words.request, id],
    [words.call, toolCallId],
    [words.digest, digest],
    [words.replaces, replaces],
  ];
  return facts.filter(([, value]) => Boolean(value));
}

function Moment({ at, by, also }: { at: string; by?: string | undefined; also?: string }) {
  const words = useDecisionWords();
  return (
    <>
      <time dateTime={at}>{words.moment(new Date(at))}</time>
      {by !== undefined && <span>, {visibleText(by)}</span>}
      {also !== undefined && <span>, {also}</span>}
    </>
  );
}

function Record({ lines }: { lines: readonly SealedLine[] }) {
  const words = useDecisionWords();
  const { seq, at, type, seal } = words.columns;
  return (
    <table data-countersign="decision-record">
      <thead>
        <tr>
          {[seq, at, type, seal].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.seq}>
            <td>{line.seq}</td>
            <td>
              <Moment at={line.at} />
            </td>
            <td>{words.line(line.type)}</td>
            <td>
              <code>{line.seal}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
