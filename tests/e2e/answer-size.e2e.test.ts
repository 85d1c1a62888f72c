import { Chat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { lengthenChat } from '../support/lengthen-chat.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const kibibyte = 1_024;
const clients = [sseClient, bidiClient];
const rows = clients.flatMap((client) => [1, 2_000].map((length) => [client.name, length, client] as const));

describe('what an answer without a reason uploads [H1]', () => {
  it.each(rows)('%s: at most 1 KiB in a chat of %i messages', async (_name, length, client) => {
    const turns = Math.floor(length / 2);
    const question: ScriptedStep = [{ call: 'pay', input: { to: 'alice', amount: 1 } }];
    const answer: ScriptedStep = [{ text: 'An answer, at some length, as models like to give them.' }];
    const script = [...(turns > 0 ? [answer] : []), question, [{ text: 'Paid.' }]];
    const { url, api, chat, store, uploads, ran } = await serveFixture(script);
    const { say, id } = chat();
    await say('A question.');
    if (turns > 0) await lengthenChat(store, id, turns);

    const { transport } = client.connect(url);
    const stored = await (await fetch(`${api}/chat`)).json();
    const page = new Chat<UIMessage>({
      id: 'chat',
      messages: stored.messages,
      transport,
      sendAutomaticallyWhen: client.predicate(),
    });
    if (turns > 0) await page.sendMessage({ text: 'Pay Alice.' });
    expect(page.messages).toHaveLength(2 * turns + 2);

    const before = uploads.socketBytes;
    page.addToolApprovalResponse({ id: openQuestion(page.messages), approved: true });
    await waitFor(() => expect(page.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Paid.' }));
    const bytes = client.name === 'SSE' ? uploads.bodies.at(-1)?.bytes : uploads.socketBytes - before;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(kibibyte);
    expect(ran).toHaveLength(1);
    await page.dispose();
  });
});
