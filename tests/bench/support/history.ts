import { isStepCount, tool, type UIMessage } from 'ai';
import { createApprovalFlow, parseChatId, parseMessageId } from 'countersign';
import type { FlowEvent } from 'countersign/plugin';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { uiMessageChunks } from 'countersign/views';
import { z } from 'zod';

/** A long chat without the time it takes to have one: ten messages, of which one has a tool's output of 8 KB. */
const turnsOnce = 5;
const outputBytes = 8_192;
const said = 'Tell me more of what you have found, please.';
const told = 'There is a little more of it here, and that is all that I have found so far.';
const found = 'x'.repeat(outputBytes);

/**
 * Writes a chat of so many messages (a multiple of ten, or none) into a store, as if it had been had.
 *
 * @param template from {@link tenMessages}
 */
export async function seedLog(
  store: FlowStore,
  template: readonly FlowEvent[],
  chat: { id: string; ownerId: string; messages: number },
): Promise<void> {
  const chatId = parseChatId(chat.id);
  const copies = chat.messages / (turnsOnce * 2);
  const written = JSON.stringify(template);
  const length = template.length;
  const events = Array.from({ length: copies }, (_, copy): FlowEvent[] =>
    JSON.parse(written.replaceAll(marker, `${chat.id}-${copy}-`)).map((event: FlowEvent) => ({
      ...event,
      seq: event.seq + length * copy,
    })),
  ).flat();
  const last = events.at(-1);
  if (!last) return;
  const lastTurn = events.findLast(({ type }) => type === 'message-received');
  const outcome = await store.append({
    chatId,
    after: 0,
    events,
    head: {
      id: chatId,
      ownerId: chat.ownerId,
      title: said,
      createdAt: last.at,
      updatedAt: last.at,
      seq: last.seq,
      turnSeq: lastTurn?.seq ?? 1,
      status: 'idle',
      runId: last.runId ?? null,
      open: null,
      auditHead: null,
    },
    questions: [],
    owner: 'bench-history',
  });
  if (outcome !== 'appended') throw new Error(`The chat ${chat.id} was there already.`);
}

/** In every id of the template, to be replaced by something of each copy's own. */
const marker = 'MARK-';

/** The log of ten messages, made by a real flow. */
export async function tenMessages(): Promise<FlowEvent[]> {
  const store = sqliteStore({ path: ':memory:' });
  let ids = 0;
  const flow = createApprovalFlow({
    store,
    random: () => `${marker}${++ids}`,
    model: scriptedModel((_, step) =>
      step === 0 ? [{ call: 'look', id: `${marker}call` }] : [{ text: told }],
    ),
    tools: { look: tool({ inputSchema: z.object({}), execute: async () => found }) },
    stopWhen: isStepCount(4),
  });
  const chatId = parseChatId('template');
  for (let turn = 0; turn < turnsOnce; turn += 1) {
    const message = {
      id: parseMessageId(`${marker}${turn}`),
      parts: [{ type: 'text', text: said }] as const,
    };
    const principal = { id: 'bench', name: 'Bench' };
    const stream = await flow.chats.respond({
      chatId,
      principal,
      trigger: 'submit-message',
      via: 'bench',
      message,
    });
    for await (const _ of uiMessageChunks(stream));
  }
  const events = await store.events.read(chatId, 0);
  await flow.close();
  await store.close();
  return events;
}

/** The same chat as a client of plain `ai` holds it. */
export function historyMessages(messages: number): UIMessage[] {
  return Array.from({ length: messages }, (_, place): UIMessage => {
    const id = `history-${place}`;
    if (place % 2 === 0) return { id, role: 'user', parts: [{ type: 'text', text: said }] };
    const answer = { type: 'text' as const, text: told, state: 'done' as const };
    if (place % 10 !== 1) return { id, role: 'assistant', parts: [{ type: 'step-start' }, answer] };
    return {
      id,
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        {
          type: 'tool-look',
          toolCallId: `${id}-call`,
          state: 'output-available',
          input: {},
          output: found,
        },
        { type: 'step-start' },
        answer,
      ],
    };
  });
}
