import {
  type Answer,
  type ChatId,
  type EventOf,
  type FlowEvent,
  present,
  type Question,
  type QuestionPlugins,
  type QuestionState,
  type RecordedAnswer,
  redact,
} from '../../protocol/index.ts';
import { redactAnswered, redactAsked } from '../redact-question.ts';
import { applyToTurn } from './fold-turn.ts';
import { type Call, calls, emptyTurn, previewOf } from './turn.ts';

/** A question from the log, for cards and inboxes, redacted. `undefined` for a call that was never asked about. */
export function questionOf(call: Call, chat: { id: ChatId; ownerId: string }): Question | undefined {
  const { asked: recorded, requested, answered } = call;
  if (!recorded) return undefined;
  const { secrets, toolCallId, toolName, title, executor, editedBy } = requested;
  const {
    type: _type,
    seq: _seq,
    runId: _runId,
    at,
    approvalId,
    atDeadline: _atDeadline,
    ...asked
  } = redactAsked(recorded, requested);
  const effect = previewOf(call);
  return present({
    ...asked,
    plugins: saidByPlugins(call),
    id: approvalId,
    chatId: chat.id,
    ownerId: chat.ownerId,
    toolCallId,
    toolName,
    title,
    executor,
    input: redact(requested.input, secrets?.input),
    preview: effect && { ...effect.preview, at: effect.at },
    requestedAt: at,
    answers: call.recorded?.map(recordedAnswer),
    editedBy,
    state: stateOf(call),
    answer: answered && answerOf(answered, call),
  });
}

function answerOf(recorded: EventOf<'approval-answered'>, { asked, requested }: Call): Answer {
  const { approved, reason, value, input, runsAs, by, onBehalfOf, at, via } = redactAnswered(
    recorded,
    requested,
  );
  const chosen = asked?.options?.find(({ id }) => id === recorded.option);
  const option = chosen && { id: chosen.id, label: chosen.label };
  return { approved, reason, option, value, input, runsAs, by, onBehalfOf, at, via };
}

/** Every question of a chat, in the order of their calls. Those of cut history too: they were asked. */
export function questionsOf(
  events: readonly FlowEvent[],
  chat: { id: ChatId; ownerId: string },
): readonly Question[] {
  const all = emptyTurn();
  for (const event of events) applyToTurn(all, event);
  return calls(all).flatMap((call) => questionOf(call, chat) ?? []);
}

function recordedAnswer(event: EventOf<'answer-recorded'>): RecordedAnswer {
  const { approved, reason, by, onBehalfOf, at, via } = event;
  return { approved, reason, by, onBehalfOf, at, via };
}

function saidByPlugins({ asked, pluginEvents = [] }: Call): QuestionPlugins | undefined {
  const since = pluginEvents.flatMap(({ plugin, says }) => (says === undefined ? [] : [[plugin, says]]));
  return since.length === 0 ? asked?.plugins : { ...asked?.plugins, ...Object.fromEntries(since) };
}

function stateOf({ answered, withdrawn }: Call): QuestionState {
  if (answered) return answered.approved ? 'approved' : 'denied';
  return withdrawn?.reason ?? 'open';
}
