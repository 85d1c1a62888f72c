'use client';

import { type ComponentPropsWithoutRef, Fragment, type ReactNode } from 'react';
import type { CallState } from '../../client/calls/tool-call.ts';
import type { NewAnswer, QuestionAnswer, Repeat } from '../../client/question.ts';
import type { SealedLine } from '../../client/sheet/load-question.ts';
import { answererName } from '../../client/text/answerer-name.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import { OutcomeForm } from '../card/answer/outcome-form.tsx';
import type { OnStepUp } from '../card/answer/use-step-up.ts';
import { ApprovalCard } from '../card/approval-card.tsx';
import { ResolutionLine } from '../card/settled/resolution-line.tsx';
import { QuestionBoundary } from '../card/unshown/question-boundary.tsx';
import { checkAccepted } from '../inbox/check-accepted.ts';
import { usePersonName } from '../person/person.tsx';
import { useToolWords } from '../words/card-words.ts';
import { useInboxWords } from '../words/inbox-words.ts';
import type { SheetWords } from '../words/sheet-words.ts';
import { useSheetWords } from '../words/sheet-words.ts';
import type { QuestionSheetState } from './use-question-sheet.ts';

/** Props of `QuestionSheet`, and any attribute of its `<article>`. */
export type QuestionSheetProps = Omit<ComponentPropsWithoutRef<'article'>, 'children'> & {
  /** From `useQuestionSheet`, once its `sheet` is there. */
  readonly sheet: NonNullable<QuestionSheetState['sheet']>;
  /** Answers the question while it is open: `answer` of `useQuestionSheet`. */
  readonly onAnswer: QuestionSheetState['answer'];
  /** Records the outcome of its call, where that is unknown: `resolve` of `useQuestionSheet`. Default: the sheet does not ask for it. */
  readonly onResolve?: QuestionSheetState['resolve'];
  /** Signs the person in again, where the question needs it: see `ApprovalCard`. */
  readonly onStepUp?: OnStepUp;
  /** The address of its chat, for people who may see it. Default: no link. */
  readonly chatHref?: string;
  /** The address of an earlier identical call: see `ApprovalCard`. Default: no link. */
  readonly repeatHref?: (repeat: Repeat) => string | undefined;
};

/**
 * One question on one sheet, on screen and on paper: what was asked and why, who answered and when, and the seals of the
 * record. While the question is open, it can be answered here. While the outcome of its call is unknown, it can be recorded here.
 */
export function QuestionSheet(props: QuestionSheetProps) {
  const { sheet, onAnswer } = props;
  const inbox = useInboxWords();
  const answer = async (given: NewAnswer) => {
    checkAccepted(await onAnswer(given), inbox);
  };
  return (
    <QuestionBoundary question={sheet.question} onAnswer={answer}>
      <Sheet {...props} onAnswer={answer} />
    </QuestionBoundary>
  );
}

function Sheet({
  sheet,
  onAnswer,
  onResolve,
  onStepUp,
  chatHref,
  repeatHref,
  ...rest
}: Omit<QuestionSheetProps, 'onAnswer'> & { readonly onAnswer: (answer: NewAnswer) => Promise<void> }) {
  const words = useSheetWords();
  const nameOf = usePersonName();
  const card = useToolWords();
  const { question, record, outcome, mayRecord, resolution } = sheet;
  return (
    <article
      aria-label={words.sheet}
      data-countersign="sheet"
      data-state={question.state}
      tabIndex={-1}
      {...rest}
    >
      <ApprovalCard
        question={question}
        onAnswer={onAnswer}
        onStepUp={onStepUp}
        repeatHref={repeatHref}
        attention="none"
      />
      {mayRecord && onResolve && (
        <section data-countersign="sheet-part">
          <h3>{words.outcome}</h3>
          <OutcomeForm onResolve={onResolve} />
        </section>
      )}
      <section data-countersign="sheet-part">
        <h3>{words.details}</h3>
        <dl data-countersign="sheet-facts">
          {factsOf(sheet, words, (answer) => answererName(answer, nameOf, card), nameOf).map(
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
      <section data-countersign="sheet-part">
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
  { question, digest, replaces }: QuestionSheetProps['sheet'],
  words: SheetWords,
  answererOf: (answer: QuestionAnswer) => string,
  nameOf: ReturnType<typeof usePersonName>,
): readonly (readonly [string, ReactNode])[] {
  const { id, toolCallId, requestedAt, deadline, askedBy, answer } = question;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.asked, requestedAt && <Moment at={requestedAt} by={askedBy && nameOf(askedBy)} />],
    [words.deadline, deadline && <Moment at={deadline} />],
    [
      words.answered,
      answer && <Moment at={answer.at} by={answererOf(answer)} also={visibleText(words.via(answer.via))} />,
    ],
    [words.request, id],
    [words.call, toolCallId],
    [words.digest, digest],
    [words.replaces, replaces],
  ];
  return facts.filter(([, value]) => Boolean(value));
}

function Moment({ at, by, also }: { at: string; by?: string | undefined; also?: string }) {
  const words = useSheetWords();
  return (
    <>
      <time dateTime={at}>{words.moment(new Date(at))}</time>
      {by !== undefined && <span>, {visibleText(by)}</span>}
      {also !== undefined && <span>, {also}</span>}
    </>
  );
}

function Record({ lines }: { lines: readonly SealedLine[] }) {
  const words = useSheetWords();
  const { seq, at, type, seal } = words.columns;
  return (
    <table data-countersign="sheet-record">
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
