import { failureText } from '../../dialects/failure-text.ts';
import type { CallEnd } from '../../log/turn/call-end.ts';
import { questionOf } from '../../log/turn/question.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ChatId, EventOf } from '../../protocol/index.ts';
import type { QuestionJson } from '../../protocol/wire/question.ts';
import { questionView } from '../../rights/question-rights.ts';
import type { StreamView } from '../../views/flow-stream.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import type { Projection } from '../../views/reader/projection.ts';
import { keptCalls, type TurnItem } from '../../views/reader/read-turn.ts';
import { stepLimitDelta } from '../../views/step-limit.ts';
import type { ToolEvent } from './client/schema.ts';
import { isLongerJson } from './json-size.ts';
import { mostOutputBytes, resultAddress } from './result.ts';

/** What of a reader the frames depend on. */
type Reader = Pick<StreamView, 'chat' | 'rights'>;

/**
 * Turns as this dialect's frames, each as it happens: one start, then exactly one end or error per call, also for calls
 * that were denied or never could run.
 *
 * @param reader whose rights a question shows. Default: questions have their call alone
 * @source A1-A16, A25
 */
export function createToolEventProjection(conversationId: ChatId, reader?: Reader): Projection<ToolEvent> {
  const started = new Set<string>();
  let usage = { inputTokens: 0, outputTokens: 0 };
  let hasBegun = false;
  let hasText = false;

  function beginTurn(): void {
    started.clear();
    usage = { inputTokens: 0, outputTokens: 0 };
    hasBegun = false;
    hasText = false;
  }

  function startOf(call: Call): ToolEvent[] {
    const { toolCallId, toolName } = call.requested;
    if (started.has(toolCallId)) return [];
    started.add(toolCallId);
    // Arguments that a person edited are those that run.
    const { input } = call.started ?? call.requested;
    return [{ type: 'tool_call_start', toolCallId, toolName, input }];
  }

  function endOf(call: Call, end: CallEnd): ToolEvent[] {
    const isResult = end.type === 'tool-completed';
    return [...startOf(call), isResult ? completedFrame(conversationId, end) : errorFrame(call, end)];
  }

  function begin({ turn, event }: TurnItem): ToolEvent[] {
    if (hasBegun || event.type !== 'run-started') return [];
    hasBegun = true;
    return [
      { type: 'message_start', messageId: event.messageId, conversationId },
      ...keptCalls(turn).flatMap((call) => endOf(call, call.end)),
    ];
  }

  function limitFrames(item: TurnItem): ToolEvent[] {
    const content = stepLimitDelta(item, hasText);
    return content === undefined ? [] : [{ type: 'text_delta', content }];
  }

  return {
    apply(item) {
      const { event, call } = item;
      switch (event.type) {
        case 'message-received':
        case 'history-cut':
          beginTurn();
          return [];
        case 'run-started':
          return begin(item);
        case 'text-delta':
          hasText = true;
          return [{ type: 'text_delta', content: event.delta }];
        case 'step-finished':
          usage.inputTokens += event.usage.inputTokens ?? 0;
          usage.outputTokens += event.usage.outputTokens ?? 0;
          return [];
        case 'tool-started':
          return call ? startOf(call) : [];
        case 'approval-requested':
          return call ? questionFrames(call, event, reader) : [];
        case 'answer-recorded':
        case 'plugin-event':
          // Sent again: it is open, and says more.
          return call?.asked ? questionFrames(call, call.asked, reader) : [];
        case 'tool-completed':
        case 'tool-failed':
        case 'tool-denied':
        case 'tool-cancelled':
          return call?.end ? endOf(call, call.end) : [];
        case 'run-completed':
        case 'run-cancelled':
          return [...limitFrames(item), ...endOfMessage(item, { type: 'message_end', usage })];
        case 'run-failed':
          return endOfMessage(item, {
            type: 'error',
            code: 'AI_SERVICE_UNAVAILABLE',
            message: event.error,
            retryable: true,
          });
        default:
          return [];
      }
    },
  };
}

function completedFrame(conversationId: ChatId, end: EventOf<'tool-completed'>): ToolEvent {
  const { toolCallId, summary, resultCount, durationMs = 0, output, storedText } = end;
  const facts = { type: 'tool_call_end', toolCallId, summary, resultCount, durationMs } as const;
  if (resultCount === 0) return facts;
  return storedText || isLongerJson(output, mostOutputBytes)
    ? { ...facts, outputRef: resultAddress(conversationId, toolCallId) }
    : { ...facts, output };
}

function errorFrame(call: Call, end: CallEnd): ToolEvent {
  const { toolCallId } = call.requested;
  const { retryable, wasRetried } =
    end.type === 'tool-failed' ? end : { retryable: false, wasRetried: false };
  return { type: 'tool_call_error', toolCallId, error: failureText(call) ?? '', retryable, wasRetried };
}

/** A message that was continued by a retry has ended only once. */
function endOfMessage({ isInResponse }: TurnItem, end: ToolEvent): ToolEvent[] {
  return isInResponse ? [end] : [];
}

function questionFrames(call: Call, event: EventOf<'approval-requested'>, reader?: Reader): ToolEvent[] {
  const { requested } = call;
  // A client call is settled for this client, so there is nothing to ask.
  if (requested.executor === 'client') return [];
  const { toolCallId, toolName, input } = requested;
  const { approvalId, repeatOf } = event;
  const repeat = repeatOf && { at: new Date(repeatOf.at).toISOString(), outcome: repeatOf.outcome };
  return [
    {
      type: 'approval_request',
      approvalId,
      toolCallId,
      toolName,
      input,
      repeatOf: repeat,
      ...wholeQuestion(call, reader),
    },
  ];
}

/** The question as `GET /api/approvals/{id}` has it. @source H9, S4 */
function wholeQuestion(call: Call, reader: Reader | undefined): { question?: QuestionJson } {
  const question = reader && questionOf(call, reader.chat);
  return question ? { question: questionJson(questionView(question, reader.rights(question))) } : {};
}
