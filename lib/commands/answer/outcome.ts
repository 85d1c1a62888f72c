import type { RecordWrite } from '../../log/store/index.ts';
import type { ChatEventBody, EventBody, JsonValue } from '../../protocol/index.ts';
import type { EditedCall, ReplacementReason } from '../../run/call/replace-call.ts';
import type { DueQuestion } from '../../run/question/question-due.ts';

export type AnsweredBody = Extract<EventBody, { type: 'approval-answered' }>;

/** What plugins keep of an approval: recorded with it, by their names, and written with it. */
export type PluginAnswers = {
  readonly said: Readonly<Record<string, JsonValue>>;
  readonly records: readonly RecordWrite[];
};

export type Outcome = Settles | Postponed | AskAgain;

export type Settles = {
  readonly type: 'settles';
  readonly events: readonly EventBody[];
  readonly records: readonly RecordWrite[];
};

/** The question stays open: this event is recorded, or is in the log already, at `seq`. */
export type Postponed = { readonly type: 'postponed' } & (
  | { readonly body: ChatEventBody; readonly seq?: undefined }
  | { readonly seq: number; readonly body?: undefined }
);

/** The question no longer is about what an approval would run: nothing is recorded of it, and the question is asked again. */
export type AskAgain = {
  readonly type: 'ask-again';
  readonly why: ReplacementReason;
  readonly edit?: EditedCall;
  /** What is recorded together with the new question. */
  readonly withQuestion?: (due: DueQuestion) => EventBody;
};
