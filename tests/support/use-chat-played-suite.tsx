import {
  DefaultChatTransport,
  isToolUIPart,
  type UIMessage,
  type UIMessageChunk,
  WebSocketChatTransport,
} from 'ai';
import {
  finalResponse,
  output,
  question,
  questionResponse,
  response,
  shownCall,
  text,
} from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChatClient } from './chat-clients.ts';
import { openPage } from './open-page.ts';
import { playedBackend } from './played-backend.ts';
import { type Exchange, recordFetch, recordSocket } from './record-exchanges.ts';

const alice = { id: 'a', tool: 'pay', input: { to: 'alice' } };
const bob = { id: 'b', tool: 'pay', input: { to: 'bob' } };
const asked = (call: typeof alice): UIMessageChunk[] => [...shownCall(call), question(call.id)];
const step: UIMessageChunk[] = [{ type: 'finish-step' }, { type: 'start-step' }];
const waiting = text('Please confirm.', 'text-1');
const done = (...calls: (typeof alice)[]) =>
  finalResponse({ texts: ['Done.'], outcomes: calls.map(({ id }) => output(id)) });

/**
 * Tests what `useChat` sends automatically, with one of the library's clients, to backends that behave differently.
 */
export function describeUseChatPlayed(client: ChatClient): void {
  describe(`useChat over ${client.name}: answers to other backends`, () => {
    it('two open questions: nothing is sent until both are answered, then both answers are sent [P5]', async () => {
      const asksBoth = response({}, [...waiting, ...asked(alice), ...asked(bob)]);
      const { page, exchanges } = await open(client, asksBoth, done(alice, bob));
      page.send('Pay both.');
      await page.waitForText('Please confirm.');
      await approve(page, 'a');
      await approve(page, 'b');
      await page.waitForText('Done.');
      expect(exchanges.map(answersIn)).toEqual([[], ['approval-a', 'approval-b']]);
    });

    it('questions in two steps: SSE sends only the newest answer, BIDI sends both [P1]', async () => {
      const asksBoth = response({}, [...asked(alice), ...step, ...waiting, ...asked(bob)]);
      const { page, exchanges } = await open(client, asksBoth, done(alice, bob));
      page.send('Pay both.');
      await page.waitForText('Please confirm.');
      await approve(page, 'b');
      if (client.name === 'BIDI') await approve(page, 'a');
      await page.waitForText('Done.');
      const sent = client.name === 'BIDI' ? ['approval-a', 'approval-b'] : ['approval-b'];
      expect(exchanges.map(answersIn)).toEqual([[], sent]);
    });

    it.each<[string, UIMessageChunk[]]>([
      ['before the call', [...waiting, ...asked(alice)]],
      ['behind the call, in its step', [...asked(alice), ...waiting]],
    ])('text %s does not keep an answer from being sent [P4]', async (_where, parts) => {
      const { page, exchanges } = await open(client, response({}, parts), done(alice));
      page.send('Pay Alice.');
      await page.approve();
      await page.waitForText('Done.');
      expect(exchanges).toHaveLength(2);
    });

    it('an answer whose response contains only text is not sent again [P4]', async () => {
      const { page, exchanges } = await open(
        client,
        questionResponse(alice),
        finalResponse({ texts: ['Noted.'] }),
      );
      page.send('Pay Alice.');
      await page.approve();
      await page.waitForText('Noted.');
      expect([page.chat.status, exchanges.length]).toEqual(['ready', 2]);
    });
  });
}

/**
 * A page on a backend that plays these responses, over the SDK's own transport. The library's transport needs
 * more endpoints.
 */
async function open(client: ChatClient, ...responses: UIMessageChunk[][]) {
  const url = await playedBackend(...responses);
  const { transport, exchanges } = client.name === 'SSE' ? plainSse(url) : plainBidi(url);
  const page = openPage({ id: 'chat', transport, sendAutomaticallyWhen: client.predicate() });
  return { page, exchanges };
}

function plainSse(url: string) {
  const { fetch, exchanges } = recordFetch();
  return { exchanges, transport: new DefaultChatTransport({ api: `${url}/api/chat`, fetch }) };
}

function plainBidi(url: string) {
  const { webSocket, exchanges } = recordSocket();
  const transport = new WebSocketChatTransport({ url: `${url.replace('http', 'ws')}/socket`, webSocket });
  onTestFinished(() => transport.close());
  return { exchanges, transport };
}

/** The answered questions in a request's last message. */
function answersIn({ body }: Exchange): string[] {
  const { messages } = body as { messages: UIMessage[] };
  return (messages.at(-1)?.parts ?? []).flatMap((part) =>
    isToolUIPart(part) && part.state === 'approval-responded' ? [part.approval.id] : [],
  );
}

/** Approves one of several open questions. Resolves when `useChat` has decided whether to send it. */
async function approve(page: ReturnType<typeof openPage>, id: string): Promise<void> {
  await page.chat.addToolApprovalResponse({ id: `approval-${id}`, approved: true });
}
