import type { RespondRequest } from '../../../lib/commands/requests.ts';
import type { ApprovalFlow } from '../../../lib/flow/approval-flow.ts';
import {
  CountersignError,
  type EventBody,
  type FlowEvent,
  type Principal,
  parseApprovalId,
  parseChatId,
  parseMessageId,
  parseToolCallId,
  type RunId,
} from '../../../lib/protocol/index.ts';
import type { QuestionRights, QuestionView } from '../../../lib/rights/question-rights.ts';
import type { FlowStream } from '../../../lib/views/flow-stream.ts';

export const ada: Principal = { id: 'user_ada', name: 'Ada' };

const every: QuestionRights = { mayAnswer: true, mayEdit: true, mayRemember: true };

/** Everybody is Ada. */
export const asAda = () => ada;

/**
 * A flow in which every method refuses, but for those a test gives. Requests for responses are recorded.
 */
export function fakeFlow(methods: Partial<ApprovalFlow> = {}): ApprovalFlow & { requests: RespondRequest[] } {
  const requests: RespondRequest[] = [];
  const unknown = () => {
    throw new CountersignError('not-found', 'There is no such thing in this test.');
  };
  const refuse = async () => unknown();
  return {
    requests,
    findMessage: async () => undefined,
    resume: refuse,
    answer: refuse,
    preview: refuse,
    rehearse: refuse,
    insights: refuse,
    upcoming: refuse,
    approveUpcoming: refuse,
    follow: refuse,
    stop: refuse,
    cancelCall: refuse,
    retryCall: refuse,
    resolveOutcome: refuse,
    tools: refuse,
    chat: refuse,
    chats: refuse,
    rename: refuse,
    erase: refuse,
    importChat: refuse,
    requestApproval: refuse,
    approvals: refuse,
    approval: refuse,
    approvalFeed: refuse,
    remembered: refuse,
    forget: refuse,
    delegate: refuse,
    delegations: refuse,
    revokeDelegation: refuse,
    people: refuse,
    resultText: refuse,
    timeline: refuse,
    audit: refuse,
    pause: refuse,
    unpause: refuse,
    pauses: refuse,
    operations: refuse,
    deadDeliveries: refuse,
    redeliver: refuse,
    keptRecords: refuse,
    purge: refuse,
    auditExport: unknown,
    isReady: async () => true,
    writer: unknown,
    recover: async () => {},
    close: async () => {},
    ...methods,
    respond: async (request) => {
      requests.push(request);
      return (methods.respond ?? refuse)(request);
    },
  };
}

/** Events of one chat, numbered as the log would. */
function numbered(bodies: readonly EventBody[]): FlowEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: 1_700_000_000_000, runId: runId() }));
}

/** The events of a turn that answers in words. */
export function turnOfText(deltas: readonly string[]): FlowEvent[] {
  return numbered([
    {
      type: 'message-received',
      messageId: parseMessageId('u1'),
      parts: [{ type: 'text', text: 'Hi' }],
      by: ada,
    },
    { type: 'run-started', messageId: parseMessageId('a1'), release: 'progressive', by: ada },
    { type: 'step-started', step: 0 },
    ...deltas.map((delta): EventBody => ({ type: 'text-delta', textId: 't0', delta })),
    { type: 'step-finished', step: 0, messages: [], finishReason: 'stop', usage: {} },
    { type: 'run-completed', finishReason: 'stop', why: 'answered' },
  ]);
}

/** A response made of these events, read as fast as it is pulled. */
export function streamOf(events: readonly FlowEvent[]): FlowStream {
  let index = 0;
  return responseFrom(
    new ReadableStream(
      {
        pull(controller) {
          const event = events[index++];
          if (event) controller.enqueue(event);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    ),
  );
}

/** A response that a test feeds event by event. `cancelled` resolves when its reader is detached. */
export function openStream(): {
  stream: FlowStream;
  push(...events: FlowEvent[]): void;
  end(): void;
  fail(error: unknown): void;
  cancelled: Promise<void>;
} {
  const cancelled = Promise.withResolvers<void>();
  let feed: ReadableStreamDefaultController<FlowEvent> | undefined;
  const events = new ReadableStream<FlowEvent>({
    start(controller) {
      feed = controller;
    },
    cancel: () => cancelled.resolve(),
  });
  return {
    stream: responseFrom(events),
    push: (...next) => {
      for (const event of next) feed?.enqueue(event);
    },
    end: () => feed?.close(),
    fail: (error) => feed?.error(error),
    cancelled: cancelled.promise,
  };
}

function responseFrom(events: ReadableStream<FlowEvent>): FlowStream {
  const chat = { id: parseChatId('chat1'), ownerId: ada.id };
  return { runId: null, events, view: { chat, emitFrom: 1, replay: false, rights: () => every } };
}

/** An open question, as the inbox shows it. */
export function question(changes: Partial<QuestionView> = {}): QuestionView {
  return {
    id: parseApprovalId('apr_1'),
    chatId: parseChatId('chat1'),
    ownerId: ada.id,
    toolCallId: parseToolCallId('call_1'),
    toolName: 'process_payment',
    title: 'Process payment',
    executor: 'server',
    input: { recipient: 'Alice', amount: 30 },
    description: 'Pay Alice 30.',
    askedBy: { id: ada.id, name: ada.name },
    requestedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    state: 'open',
    ...every,
    ...changes,
  };
}

function runId(): RunId {
  return 'run_1' as RunId;
}
