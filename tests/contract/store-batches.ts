import type { Append, ChatHead } from '../../lib/log/store/index.ts';
import {
  type ApprovalId,
  createIds,
  type EventBody,
  type FlowEvent,
  parseApprovalId,
  parseChatId,
  parseToolCallId,
  type Question,
} from '../../lib/protocol/index.ts';

/** What a test wants different from the plain batch. */
type Wish = Partial<
  Pick<Append, 'id' | 'lease' | 'owner' | 'now' | 'questions' | 'records' | 'calls' | 'notices'>
> & {
  /** Of the events and of the head; default 1. */
  readonly run?: number;
  readonly at?: number;
  readonly head?: Partial<ChatHead>;
};

/** Ana, who owns everything that nobody else is said to own. */
export const ana = { id: 'ana', name: 'Ana' };

/** Some chat. */
export const chat = parseChatId('chat-1');

/** Runs, by number; their ids are as long as real ones. */
export const run = (number = 1) => createIds(() => String(number).padStart(22, '0')).run();

/** One delta of text: an event that claims nothing. */
export const text = (delta = 'hello'): EventBody => ({ type: 'text-delta', textId: 't', delta });

/** The first event of an imported chat. */
export const imported: EventBody = { type: 'chat-imported', digest: 'digest', by: ana };

/** The first answer to a question, or an attempt at it. */
export const answered = (id: string, approved = true): EventBody => ({
  type: 'approval-answered',
  approvalId: parseApprovalId(id),
  toolCallId: parseToolCallId('call-1'),
  approved,
  by: ana,
  via: 'http',
});

/** The claim to execute a call. */
export const started = (id: string): EventBody => ({
  type: 'tool-started',
  toolCallId: parseToolCallId(id),
  input: {},
});

/** A question put to a person. */
export const asked = (id: string): EventBody => ({
  type: 'approval-requested',
  approvalId: parseApprovalId(id),
  toolCallId: parseToolCallId('call-1'),
  description: 'Pay Alice 30',
  askedBy: ana,
});

/** A batch that stands on `after`, at `at` (default 1,000 ms), of an instance called `here`. */
export function batch(
  chatId: Append['chatId'],
  after: number,
  bodies: readonly EventBody[],
  wish: Wish = {},
): Append {
  const at = wish.at ?? 1_000;
  const events = bodies.map(
    (body, index): FlowEvent => ({
      seq: after + index + 1,
      at,
      runId: run(wish.run),
      ...body,
    }),
  );
  return {
    chatId,
    after,
    events,
    head: {
      id: chatId,
      ownerId: ana.id,
      title: 'A chat',
      createdAt: 1_000,
      updatedAt: at,
      seq: after + bodies.length,
      turnSeq: 1,
      status: 'active',
      runId: run(wish.run),
      open: null,
      auditHead: null,
      ...wish.head,
    },
    questions: wish.questions ?? [],
    owner: wish.owner ?? 'here',
    ...(wish.records && { records: wish.records }),
    ...(wish.calls && { calls: wish.calls }),
    ...(wish.notices && { notices: wish.notices }),
    ...(wish.id !== undefined && { id: wish.id }),
    ...(wish.now !== undefined && { now: wish.now }),
    ...(wish.lease !== undefined && { lease: wish.lease }),
  };
}

/** An open question of a chat, asked at 1,000 ms. */
export function question(id: string, wish: Partial<Question> = {}): Question {
  return {
    id: parseApprovalId(id),
    chatId: chat,
    ownerId: ana.id,
    toolCallId: parseToolCallId(`call-${id}`),
    toolName: 'pay',
    executor: 'server',
    input: { amount: 30 },
    description: 'Pay Alice 30',
    askedBy: ana,
    requestedAt: 1_000,
    state: 'open',
    ...wish,
  };
}

/** Ids of a list of questions or chats. */
export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** @see parseApprovalId */
export const approval = (id: string): ApprovalId => parseApprovalId(id);
