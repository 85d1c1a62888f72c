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

/** Methods of a flow, by noun. */
export type FakeMethods = { readonly [Noun in keyof ApprovalFlow]?: Partial<ApprovalFlow[Noun]> };

/**
 * A flow in which every method refuses, but for those a test gives. Requests for responses are recorded.
 */
export function fakeFlow(methods: FakeMethods = {}): ApprovalFlow & { requests: RespondRequest[] } {
  const requests: RespondRequest[] = [];
  const refuse = () => {
    throw new CountersignError('not-found', 'There is no such thing in this test.');
  };
  const noun = (given: object = {}) =>
    new Proxy(given, { get: (own, name) => Reflect.get(own, name) ?? (async () => refuse()) });
  const chats = {
    findMessage: async () => undefined,
    ...methods.chats,
    respond: async (request: RespondRequest) => {
      requests.push(request);
      return (methods.chats?.respond ?? refuse)(request);
    },
  };
  const own = {
    requests,
    chats: noun(chats),
    plugins: [],
    isReady: async () => true,
    close: async () => {},
    recover: async () => {},
  };
  return new Proxy(own as unknown as ReturnType<typeof fakeFlow>, {
    get: (flow, name: keyof ApprovalFlow) => flow[name] ?? noun(methods[name] as object),
  });
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
