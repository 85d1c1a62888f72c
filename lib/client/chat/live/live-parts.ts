import type { DraftJson } from '../../../protocol/wire/chat/draft.ts';
import type { ToolInputJson } from '../../../protocol/wire/chat/tool-input.ts';
import {
  type LifecycleByCall,
  parseToolLifecycle,
  withInput,
  withReport,
} from '../../calls/tool-lifecycle.ts';
import { number, object, oneOf, optional, text } from '../../http/read-wire.ts';
import type { Question } from '../../question.ts';
import { type Draft, nextResponse, withDelta } from './draft.ts';
import {
  type KnownAnswer,
  type KnownAnswers,
  type SettledQuestion,
  withAnswer,
  withoutAnswers,
  withReceived,
  withSettled,
} from './known-answers.ts';

/** State of a chat besides its messages. `past`: calls of earlier turns that this turn does not show. */
export type LiveParts = {
  readonly draft: Draft;
  readonly reports: LifecycleByCall;
  readonly past: ReadonlySet<string>;
  /** Answers that the server has received. */
  readonly answers: KnownAnswers;
  /** Answers given on this page that the server has not confirmed. */
  readonly sending: KnownAnswers;
  /** The last open question that the server said has changed: messages have only what was known when it was asked. */
  readonly changed?: ChangedQuestion | undefined;
};

/** What changes while a question is open. */
export type ChangedQuestion = Pick<Question, 'id' | 'plugins' | 'answers' | 'hasAnswered' | 'mayAnswer'>;

/** A question as a stored chat has it. */
type StoredQuestion = SettledQuestion & ChangedQuestion;

/** An event that changes this state. */
export type LiveEvent =
  | { readonly type: 'received'; readonly part: { readonly type: string; readonly data?: unknown } }
  | { readonly type: 'turn-began' }
  | { readonly type: 'response-began' }
  | {
      readonly type: 'restored';
      readonly drafts: readonly DraftJson[] | undefined;
      readonly questions: readonly StoredQuestion[];
    }
  | { readonly type: 'settled'; readonly question: SettledQuestion }
  | { readonly type: 'changed'; readonly question: ChangedQuestion }
  | { readonly type: 'answered'; readonly id: string; readonly answer: KnownAnswer }
  /** The server's reply says that these answers count. */
  | { readonly type: 'acknowledged'; readonly ids: readonly string[] }
  /** The answer left the question open: it waits for others. */
  | { readonly type: 'left-open'; readonly id: string }
  | { readonly type: 'refused'; readonly ids: readonly string[] };

/** The state of a chat that was just loaded. */
export function initialLiveParts(
  stored:
    | { readonly drafts?: readonly DraftJson[]; readonly questions: readonly StoredQuestion[] }
    | undefined,
): LiveParts {
  return {
    draft: draftOf(stored?.drafts),
    reports: new Map(),
    past: new Set(),
    answers: withSettled(new Map(), stored?.questions ?? []),
    sending: new Map(),
    changed: stored?.questions.at(-1),
  };
}

/** Applies one event. A new turn starts without a draft; a new response of the same turn may repeat it. */
export function reduceLiveParts(live: LiveParts, event: LiveEvent): LiveParts {
  switch (event.type) {
    case 'turn-began':
      return { ...live, draft: [], past: new Set(live.reports.keys()) };
    case 'response-began':
      return { ...live, draft: nextResponse(live.draft) };
    case 'restored':
      return {
        ...live,
        draft: draftOf(event.drafts),
        answers: withSettled(live.answers, event.questions),
        sending: new Map(),
        changed: event.questions.at(-1),
      };
    case 'settled':
      return {
        ...live,
        answers: withSettled(live.answers, [event.question]),
        // A withdrawn question has no answer, and the server will refuse this page's answer.
        ...(event.question.answer && { sending: withoutAnswers(live.sending, [event.question.id]) }),
      };
    case 'changed':
      return { ...live, changed: event.question };
    case 'answered':
      return { ...live, sending: withAnswer(live.sending, event.id, event.answer) };
    case 'acknowledged':
      return {
        ...live,
        answers: withReceived(live.answers, live.sending, event.ids),
        sending: withoutAnswers(live.sending, event.ids),
      };
    case 'left-open':
      return { ...live, sending: withoutAnswers(live.sending, [event.id]) };
    case 'refused':
      return { ...live, answers: withoutAnswers(live.answers, event.ids) };
    case 'received':
      return received(live, event.part);
  }
}

function draftOf(drafts: readonly DraftJson[] = []): Draft {
  return drafts.reduce(withDelta, []);
}

export const readDraft = object<DraftJson>({
  textId: text,
  delta: text,
  position: optional(number),
  reset: optional(oneOf(true)),
});

const readToolInput = object<ToolInputJson>({
  toolCallId: text,
  toolName: text,
  title: optional(text),
  delta: optional(text),
  position: optional(number),
});

function received(live: LiveParts, part: { type: string; data?: unknown }): LiveParts {
  if (part.type === 'data-draft') {
    const data = readDraft(part.data);
    return data ? { ...live, draft: withDelta(live.draft, data) } : live;
  }
  if (part.type === 'data-tool-input') {
    const data = readToolInput(part.data);
    return data ? { ...live, reports: withInput(live.reports, data) } : live;
  }
  if (part.type === 'data-tool-lifecycle') {
    const report = parseToolLifecycle(part.data);
    if (report === undefined) return live;
    const past = new Set(live.past);
    // Calls that ran before a regenerate are reported again: they are part of the new answer.
    const wasPast = past.delete(report.toolCallId);
    return { ...live, reports: withReport(live.reports, report), ...(wasPast && { past }) };
  }
  return live;
}
