import { newChatHead } from '../../log/chat-head.ts';
import {
  type ApprovalId,
  type ChatId,
  CountersignError,
  canonicalJson,
  type EventBody,
  type FlowEvent,
  isSameJson,
  type Principal,
  parseChatId,
  parseMessageId,
  personOf,
  recordPrincipal,
  toJson,
} from '../../protocol/index.ts';
import { writtenJson } from '../../protocol/safe-json.ts';
import type { Engine, TurnEngine } from '../../run/engine.ts';
import { madeCallId } from '../../run/made-call-id.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import { askedAnyway, gateAgain } from '../../run/step/gate-again.ts';
import { turnMetadata } from '../../run/step/turn-metadata.ts';
import { runtime } from '../../runtime/runtime.ts';
import { gateNames } from '../../settings/plugin/gates.ts';
import { type AgentRequestJson, agentRequestSchema } from './agent-request.ts';
import { requestTool } from './request-tool.ts';

/**
 * What an agent outside the flow asks. `title`, `details` and `risk` are its own words; `arguments` are the values that it
 * will act with.
 *
 * @source ADR 0044
 */
export type AgentRequest = AgentRequestJson & {
  /** Chosen by the agent, 1 to 200 characters: the same key asks once. Keys of other principals do not matter. */
  readonly key: string;
  /** How long the question stays open, in milliseconds, if that is shorter than the flow's own deadline. */
  readonly deadlineMs?: number;
};

/**
 * Asks for approval in the name of an agent outside the flow, in a chat of its own: one turn with one call, which a person is
 * always asked about. No model is called.
 *
 * @returns the question. If it was asked again meanwhile, the latest one
 * @throws CountersignError `forbidden` if the policy denies it; `key-reused`;
 *   `invalid-request`
 * @source ADR 0044
 */
export async function requestApproval(
  engine: Engine,
  request: AgentRequest & { readonly principal: Principal },
): Promise<ApprovalId> {
  const { store } = engine;
  const chatId = chatOf(request.principal, request.key);
  const input = writtenJson(inputOf(request), 'The request');
  return retryOnConflict(engine, chatId, async () => {
    const head = await store.chats.head(chatId);
    // The first request with this key may be about to ask, in this process.
    if (head?.runId) await engine.local(head.runId)?.done;
    if (head) return standing(await store.events.read(chatId, 0), input, chatId);
    if ((await store.erasures.at(chatId)) !== undefined) throw reused('for a request that was erased');
    await ask(engine, request, chatId);
    return standing(await store.events.read(chatId, 0), input, chatId);
  });
}

/** No other principal can name this chat by a key. */
function chatOf({ id }: Principal, key: string): ChatId {
  return parseChatId(`request-${runtime.digest(canonicalJson(['agent-request', id, key]))}`);
}

function inputOf({ title, details, arguments: values, risk }: AgentRequest) {
  const { data, error } = agentRequestSchema.safeParse({ title, details, arguments: values, risk });
  if (data) return data;
  throw new CountersignError('invalid-request', `The request does not fit: ${error.issues[0]?.message}.`);
}

async function ask(
  engine: Engine,
  request: AgentRequest & { readonly principal: Principal },
  chatId: ChatId,
): Promise<void> {
  const { ids, clock } = engine;
  const { principal, title, details, deadlineMs } = request;
  const head = { ...newChatHead(chatId, principal.id, await clock.sure()), title: request.title };
  const text = details ? `${title}\n\n${details}` : title;
  const call = await gatedCall({ ...engine, principal, chatId }, inputOf(request), text);
  const { toolCallId, toolName, input } = call;
  const content = [{ type: 'tool-call' as const, toolCallId, toolName, input }];
  const by = personOf(principal);
  const opening: EventBody[] = [
    {
      type: 'message-received',
      messageId: parseMessageId(ids.message()),
      parts: [{ type: 'text', text }],
      by,
    },
    {
      type: 'run-started',
      messageId: ids.message(),
      release: 'final',
      by,
      asker: recordPrincipal(principal, clock.now()),
      options: { stepLimit: 1, agentRequest: { deadlineMs } },
      gates: gateNames(engine.settings),
      ...turnMetadata(engine, { type: 'start' }),
    },
    { type: 'step-started', step: 0 },
    {
      type: 'step-finished',
      step: 0,
      messages: [{ role: 'assistant', content }],
      finishReason: 'tool-calls',
      usage: {},
    },
    call,
  ];
  const journal = await engine.openJournal(head);
  const { done } = await engine.begin(journal, { runId: ids.run(), principal }, ...opening);
  await done;
}

/** @throws CountersignError `forbidden` if the flow's policy denies the call */
async function gatedCall(engine: TurnEngine, input: unknown, text: string) {
  const call = { toolName: requestTool, input: toJson(input) };
  const messages = [{ role: 'user' as const, content: text }];
  // The chat has no other call.
  const id = madeCallId(() => false, engine.chatId, 'request');
  const { request, end } = await gateAgain(engine, call, id, messages);
  if (!end) return askedAnyway(request);
  const why = end.type === 'tool-denied' && end.reason ? `: ${end.reason}` : '.';
  throw new CountersignError('forbidden', `The policy of this app denies such requests${why}`);
}

/** @throws CountersignError `key-reused` if the chat is about something else; `unavailable` if nothing could be asked */
function standing(events: readonly FlowEvent[], input: unknown, chatId: ChatId): ApprovalId {
  const calls = events.flatMap((event) =>
    event.type === 'tool-requested' && event.toolName === requestTool ? [event] : [],
  );
  const [first] = calls;
  if (first && !isSameJson(first.input, input)) throw reused('for another request');
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  const asked = events.findLast((event) => event.type === 'approval-requested' && ids.has(event.toolCallId));
  if (asked?.type === 'approval-requested') return asked.approvalId;
  throw new CountersignError('run-active', 'The request is not asked yet. Send it again.', { chatId });
}

function reused(what: string): CountersignError {
  return new CountersignError('key-reused', `This key was used ${what}. Use a new key for each request.`);
}
