import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { votes } from 'countersign/plugins/votes';
import { describe, expect, it } from 'vitest';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { plain } from '../support/client-message.ts';
import { openPage } from '../support/open-page.ts';
import { openQuestion } from '../support/open-question.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

type Predicate = (options: { messages: UIMessage[] }) => boolean;

const ofSdk: Predicate = lastAssistantMessageIsCompleteWithApprovalResponses;
const rows = [sseClient, bidiClient].flatMap((client) => [
  [client.name, 'its predicate', client, client.predicate()] as const,
  [client.name, 'the SDK’s predicate', client, ofSdk] as const,
]);

const settings = {
  mayRead: () => true,
  toolDetails: { pay: { approvers: () => true, votes: { count: 2 } } },
  plugins: [votes()],
} as const;

describe('useChat and a question that two people must approve', () => {
  it.each(rows)(
    'over %s with %s: a vote opens the question again, nothing is sent again, and a reload shows it open',
    async (_name, _whose, client, predicate) => {
      const script = [[{ call: 'pay', input: { to: 'alice', amount: 1 } }], [{ text: 'Paid.' }]];
      const { url, api, ran } = await serveFixture(script, settings as never);
      const { transport, exchanges } = client.connect(url);
      const decisions: boolean[] = [];
      const page = openPage({
        id: 'chat',
        transport,
        sendAutomaticallyWhen(options) {
          const decision = predicate(options);
          decisions.push(decision);
          return decision;
        },
      });
      page.send('Pay.');
      await page.waitForQuestion('pay');
      const id = openQuestion(page.messages);
      await page.approve();

      // A request is made only if the predicate says so. This is the complete list, so nothing loops.
      await waitFor(() => expect(decisions).toEqual([false, true, false]));
      await waitFor(() => expect(page.chat.status).toBe('ready'));
      expect(exchanges).toHaveLength(2);
      const vote = await exchanges[1]?.chunks;
      expect(vote?.map(({ type }) => type)).toEqual(['start', 'tool-approval-request', 'finish']);
      expect(openQuestion(page.messages)).toBe(id);
      expect(page.messages).toHaveLength(2);
      const steps = page.messages[1]?.parts.filter(({ type }) => type === 'step-start');
      expect(steps).toHaveLength(1);
      expect(ran).toEqual([]);

      // After a reload.
      const stored = await (await fetch(`${api}/chat`)).json();
      expect(stored.open).toBe(id);
      expect(stored.messages).toEqual(plain(page.messages));
      const asked = { plugins: { votes: { needed: 2 } }, answers: [{ approved: true, by: { id: 'ada' } }] };
      expect(stored.messages[1].parts.at(-1)).toMatchObject({
        state: 'approval-requested',
        approval: { id, descriptor: { ...asked, hasAnswered: true, mayAnswer: false } },
      });

      const answered = await fetch(`${url}/api/approvals/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [userHeader]: 'ben' },
        body: JSON.stringify({ approved: true }),
      });
      expect(answered.status).toBe(200);
      await waitFor(() => expect(ran).toHaveLength(1));
    },
  );
});
