import { formatItemId, formatResponseId } from '../../../lib/plugins/responses/ids.ts';
import { formatStreamId } from '../../../lib/protocol/ids/stream-id.ts';
import { parseApprovalId, parseChatId, type RunId } from '../../../lib/protocol/index.ts';
import { type PersonName, stranger } from '../actors/people.ts';
import { planText, randomPlan } from '../actors/plan.ts';
import type { Instance } from '../machine/instance.ts';
import type { Random } from '../machine/random.ts';
import { activeRun, isOpen } from '../schedule/log-facts.ts';
import { questionsShown } from '../schedule/shown-questions.ts';
import type { Stage } from '../schedule/stage.ts';
import { createDialectExchanges } from './exchanges.ts';
import { type DialectName, dialectNames } from './profile.ts';

/** What people do through dialects, in addition to other endpoints, so that several kinds of clients use one chat. */
export function createDialectCommands({ profile, world, history, instances }: Stage, random: Random) {
  const { post, frame } = createDialectExchanges(world, history);

  function anyInstance(): Instance {
    const alive = instances.filter(({ process }) => process.state !== 'dead');
    return random.pick(alive.length > 0 ? alive : instances);
  }

  const ownerOf = (chatId: string) => (history.owners.get(chatId) ?? 'ada') as PersonName;
  const chats = () => [...history.logs.keys()].filter((chatId) => /^c\d/.test(chatId));

  function runOf(chatId: string): RunId {
    const log = history.logs.get(chatId) ?? [];
    const started = log.findLast(({ event }) => event.type === 'run-started')?.event;
    return (started?.runId ?? 'run_none') as RunId;
  }

  function send(chatId: string): void {
    const text = planText(chatId, randomPlan(random, profile));
    const command = { who: ownerOf(chatId), does: 'send', instance: anyInstance(), chatId };
    const sends: Record<DialectName, () => Promise<void>> = {
      'tool-events': () =>
        post(command, '/api/dialects/tool-events', { conversationId: chatId, message: text }),
      'two-step-stream': () => post(command, '/api/chat/message', { chat_id: chatId, message: text }),
      'chat-socket': () => frame(command, { type: 'message', conversation_id: chatId, content: text }),
      responses: () =>
        post(command, '/v1/responses', { conversation: chatId, input: text, stream: random.chance(0.5) }),
    };
    void sends[anyDialect()]();
  }

  const anyDialect = () => random.pick(profile.dialects?.followed ?? dialectNames.slice(0, 1));

  /** Usually one answer, and sometimes the opposite one at the same time over the other dialect. */
  function answer(who?: PersonName): void {
    const open = questionsShown(history).filter(({ chatId, approvalId }) =>
      isOpen(history.logs.get(chatId) ?? [], approvalId),
    );
    if (open.length === 0) return;
    const { chatId, approvalId, toolName } = random.pick(open);
    const by = who ?? (toolName.endsWith('boss') && random.chance(0.8) ? 'cleo' : ownerOf(chatId));
    const does = who === stranger ? 'forge' : 'answer over a dialect';
    const approved = random.chance(0.8);
    const isSocket = random.chance(0.5);
    give(isSocket, approved);
    if (who === undefined && random.chance(0.3)) give(!isSocket, random.chance(0.5));

    function give(overSocket: boolean, decision: boolean): void {
      const recorded = { answers: [{ approvalId, approved: decision }] };
      const command = { who: by, does, instance: anyInstance(), chatId, recorded };
      if (overSocket) {
        void frame(command, { type: 'tool_approval_response', approval_id: approvalId, approved: decision });
        return;
      }
      const approval_request_id = formatItemId(
        'mcp_approval_request',
        parseChatId(chatId),
        parseApprovalId(approvalId),
      );
      const item = { type: 'mcp_approval_response', approval_request_id, approve: decision };
      void post(command, '/v1/responses', { input: [item], stream: random.chance(0.7) });
    }
  }

  function stop(chatId: string): void {
    const command = { who: ownerOf(chatId), instance: anyInstance(), chatId };
    if (random.chance(0.5)) {
      void frame({ ...command, does: 'cancel' }, { type: 'cancel', conversation_id: chatId });
      return;
    }
    const path = `/v1/responses/${formatResponseId(parseChatId(chatId), runOf(chatId))}/cancel`;
    // A response that has already ended is returned unchanged, and nothing is stopped.
    const isStopped = (json: unknown) => (json as { status?: string })?.status === 'incomplete';
    void post({ ...command, does: 'stop' }, path, undefined, (status, json) =>
      status === 200 && isStopped(json) ? 204 : status,
    );
  }

  /** A call of the last message that failed, and may be tried again. */
  function failedCall(): { chatId: string; toolCallId: string } | undefined {
    for (const chatId of chats()) {
      const log = history.logs.get(chatId) ?? [];
      const failed = log.findLast(({ event }) => event.type === 'tool-failed' && event.retryable)?.event;
      if (failed?.type !== 'tool-failed' || activeRun(log) !== undefined) continue;
      return { chatId, toolCallId: failed.toolCallId };
    }
    return undefined;
  }

  function retry({ chatId, toolCallId }: { chatId: string; toolCallId: string }): void {
    const command = { who: ownerOf(chatId), does: 'retry', instance: anyInstance(), chatId };
    if (random.chance(0.5)) {
      void post(command, '/api/dialects/tool-events/retry', { conversationId: chatId, toolCallId });
      return;
    }
    const resume = { type: 'resume', conversation_id: chatId };
    void frame(command, resume, { type: 'tool_retry', tool_call_id: toolCallId });
  }

  /** Gives the same result whether or not the chat exists. */
  function spy(chatId: string): void {
    const instance = anyInstance();
    // The ids of forged runs name their chat, and a refusal repeats the id.
    const runId = runOf(chatId).replace(/forged.*/, 'forged') as RunId;
    const paths: ((id: string) => string)[] = [
      (id) => `/api/dialects/tool-events?conversationId=${id}`,
      (id) => `/api/dialects/tool-events/stream?conversationId=${id}`,
      (id) => `/api/dialects/tool-events/result?conversationId=${id}&toolCallId=call-1`,
      (id) => `/api/chat/stream/${formatStreamId(parseChatId(id), runId)}`,
      (id) => `/v1/responses/${formatResponseId(parseChatId(id), runId)}`,
      (id) => `/v1/responses/${formatResponseId(parseChatId(id), runId)}?stream=true`,
    ];
    const path = random.pick(paths);
    for (const id of [chatId, 'no-such-chat']) {
      const command = { who: stranger, does: 'spy', instance, chatId: id };
      void post(command, path(id), undefined);
      void frame(command, { type: 'resume', conversation_id: id });
    }
  }

  return {
    play(): void {
      const known = chats();
      if (known.length === 0) return;
      const isActive = (chatId: string) => activeRun(history.logs.get(chatId) ?? []) !== undefined;
      const failed = failedCall();
      if (failed && random.chance(0.5)) {
        retry(failed);
        return;
      }
      const chatId = random.pick(known);
      const act = random.weighted({ send: 3, answer: 6, stop: 1, spy: 1, forge: 1 });
      if (act === 'send') send(known.find((id) => !isActive(id)) ?? chatId);
      if (act === 'answer') answer();
      if (act === 'stop') stop(known.find(isActive) ?? chatId);
      if (act === 'spy') spy(chatId);
      if (act === 'forge') answer(stranger);
    },
  };
}
