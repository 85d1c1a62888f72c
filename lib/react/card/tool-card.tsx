'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { OutcomeToRecord } from '../../client/calls/post-outcome.ts';
import type { CallState, CallView } from '../../client/calls/tool-call.ts';
import { changesBetween } from '../../client/card/changes.ts';
import type { QuestionState } from '../../client/question.ts';
import { answererName } from '../../client/text/answerer-name.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import { usePersonName } from '../person/person.tsx';
import type { CardWords } from '../words/card-words.ts';
import { useToolWords } from '../words/card-words.ts';
import { OutcomeForm } from './answer/outcome-form.tsx';
import { CallArguments } from './evidence/call-arguments.tsx';
import { ChangeList } from './evidence/change-part.tsx';
import { JsonDetails } from './evidence/values/json-details.tsx';
import { ReadableValue } from './evidence/values/readable-value.tsx';
import { useOutcomeAnnouncement } from './focus/use-outcome-announcement.ts';
import { Glyph, type GlyphName } from './glyph.tsx';
import { NotSent, useUnsent } from './settled/not-sent.tsx';
import { ResolutionLine } from './settled/resolution-line.tsx';
import { SettledLine } from './settled/settled-line.tsx';
import { ErrorBoundary } from './unshown/error-boundary.tsx';
import { Unshown } from './unshown/unshown.tsx';

/** Props of `ToolCard`. Other attributes are passed to its element. */
export type ToolCardProps = Omit<ComponentPropsWithoutRef<'details'>, 'children'> & {
  readonly call: CallView;
  /**
   * Called with what a person found out about a call whose outcome is unknown; the card asks for it only when this is
   * given. Refuses by throwing or rejecting: `chat.resolveOutcome` of `useApprovalChat` does.
   */
  readonly onResolve?: (outcome: OutcomeToRecord) => unknown;
  /** Replaces the readable result. */
  readonly renderOutput?: (output: unknown, call: CallView) => ReactNode;
  /** Replaces the readable arguments. */
  readonly renderInput?: (input: unknown, call: CallView) => ReactNode;
};

const glyphs: Readonly<Record<CallState, GlyphName>> = {
  preparing: 'tool',
  asking: 'tool',
  sending: 'tool',
  approved: 'tool',
  running: 'tool',
  searching: 'search',
  retrying: 'retry',
  withheld: 'check',
  done: 'check',
  failed: 'alert',
  unknown: 'alert',
  denied: 'cross',
  withdrawn: 'cross',
};

const atWork: ReadonlySet<CallState> = new Set(['preparing', 'running', 'searching', 'retrying']);

/**
 * One tool call: what it did or was meant to do, its state, its result, who approved it and with which
 * changes. Opens to show arguments and result. `data-state` is the call's state, `data-tool` its tool,
 * `data-busy` whether it is running.
 */
export function ToolCard(props: ToolCardProps) {
  const { call } = props;
  return (
    <ErrorBoundary of={`${call.toolCallId} ${call.state}`} fallback={() => <Unshown value={call} />}>
      <Call {...props} />
    </ErrorBoundary>
  );
}

function Call({ call, onResolve, renderOutput, renderInput, ...rest }: ToolCardProps) {
  const words = useToolWords();
  const nameOf = usePersonName();
  useOutcomeAnnouncement(call.state, spoken(call, words, nameOf));
  const isSettled = call.approval !== undefined && call.state !== 'asking' && call.state !== 'sending';
  const text = useUnsent(isSettled ? call.approval?.id : undefined, [
    call.approval?.reason,
    call.input,
    call.output,
  ]);
  const asks = onResolve !== undefined && call.state === 'unknown' && !call.imported;
  return (
    <details
      data-countersign="tool"
      data-state={call.state}
      data-tool={call.toolName}
      data-call={call.toolCallId}
      data-busy={atWork.has(call.state)}
      {...((asks || text) && { open: true })}
      {...rest}
    >
      <summary data-countersign="tool-summary">
        <span data-countersign="tool-icon">
          <Glyph name={glyphs[call.state]} size={18} />
        </span>
        <span data-countersign="tool-words">
          <Title call={call} words={words} />
          <Outcome call={call} words={words} />
          <Settlement call={call} words={words} />
          {call.resolved && <ResolutionLine resolution={call.resolved} />}
        </span>
        <Measures call={call} words={words} />
        <span data-countersign="tool-chevron">
          <Glyph name="chevron" size={16} />
        </span>
      </summary>
      <div data-countersign="tool-details">
        {text && <NotSent {...text} />}
        {asks && <OutcomeForm onResolve={onResolve} />}
        <Input call={call} words={words} render={renderInput} />
        <Output call={call} words={words} render={renderOutput} />
      </div>
    </details>
  );
}

type PartProps = { readonly call: CallView; readonly words: CardWords };

/** The outcome comes first: what the call did, or what it was meant to do, as in its question. */
function Title({ call, words }: PartProps) {
  const { title, state, description, proposedInput } = call;
  const fact = factOf(call) ?? description;
  const isProposed = fact === description && proposedInput !== undefined;
  const status = [fact && visibleText(title), words.callState[state]].filter(Boolean).join(' · ');
  return (
    <span data-countersign="tool-title">
      {fact && isProposed && (
        <>
          <span>{words.proposed}</span>{' '}
        </>
      )}
      <span>{visibleText(fact ?? title)}</span> <span data-countersign="tool-state">{status}</span>
    </span>
  );
}

/**
 * The outcome of a call as one announcement. A denial includes who denied it, because until now the page only
 * said that the answer was being sent.
 */
function spoken(call: CallView, words: CardWords, nameOf: ReturnType<typeof usePersonName>): string {
  const { title, description, state, problem, answer } = call;
  const end =
    state === 'denied' && answer
      ? `${words.settled({ state })} ${words.by(answererName(answer, nameOf, words))}`
      : words.callState[state];
  return visibleText([factOf(call) ?? description ?? title, end, problem].filter(Boolean).join('. '));
}

/** What a call did, in a few words. */
function factOf({ state, summary }: CallView): string | undefined {
  return state === 'done' || state === 'withheld' ? summary : undefined;
}

function Outcome({ call, words }: PartProps) {
  if (call.state === 'failed' || call.state === 'unknown') {
    return <span data-countersign="tool-problem">{visibleText(call.problem ?? words.noReason)}</span>;
  }
  if (factOf(call)) return null;
  if (call.summary) return <span data-countersign="tool-outcome">{visibleText(call.summary)}</span>;
  return call.state === 'withheld' ? (
    <span data-countersign="tool-outcome">{words.withheldResult}</span>
  ) : null;
}

function Settlement({ call: { approval, answer }, words }: PartProps) {
  if (!approval) return null;
  const { withdrawn, isAutomatic } = approval;
  const state: QuestionState = withdrawn ?? (approval.approved ? 'approved' : 'denied');
  const edited = answer?.input !== undefined ? words.approvedEdited : undefined;
  const given = answer?.option ? words.chosen(answer.approved, visibleText(answer.option.label)) : edited;
  const outcome = isAutomatic ? words.deniedByRule : given;
  return (
    <SettledLine
      isApproved={approval.approved}
      outcome={outcome ?? words.settled({ state })}
      {...(!withdrawn && { answer, reason: approval.reason })}
    />
  );
}

function Measures({ call: { imported, resultCount, durationMs, wasRetried }, words }: PartProps) {
  const parts = [
    imported && words.imported,
    // A single item is not a list: a payment does not show "1 result".
    resultCount !== undefined && resultCount !== 1 && words.results(resultCount),
    wasRetried && words.triedTwice,
    durationMs !== undefined && words.duration(durationMs),
  ].filter(Boolean);
  return parts.length === 0 ? null : <span data-countersign="tool-measures">{parts.join(' · ')}</span>;
}

function Input({ call, words, render }: PartProps & { render: ToolCardProps['renderInput'] }) {
  const { input, proposedInput } = call;
  return (
    <div>
      <p data-countersign="tool-heading">
        {words.arguments} <code>{visibleText(call.toolName)}</code>
      </p>
      {input === undefined && <p data-countersign="value-none">{words.argumentsLater}</p>}
      {input !== undefined &&
        (render ? render(input, call) : <CallArguments input={input} label={words.argumentsJson} />)}
      {proposedInput !== undefined && (
        <ChangeList changes={changesBetween(proposedInput, input)} heading={words.changed} words={words} />
      )}
    </div>
  );
}

function Output({ call, words, render }: PartProps & { render: ToolCardProps['renderOutput'] }) {
  if (call.output !== undefined) {
    return (
      <div>
        <p data-countersign="tool-heading">{words.result}</p>
        {render ? render(call.output, call) : <ReadableValue value={call.output} />}
        <JsonDetails label={words.resultJson} value={call.output} />
      </div>
    );
  }
  return call.problem === undefined ? null : (
    <div>
      <p data-countersign="tool-heading">{words.problemHeading}</p>
      <p data-countersign="tool-problem-full">{visibleText(call.problem)}</p>
    </div>
  );
}
