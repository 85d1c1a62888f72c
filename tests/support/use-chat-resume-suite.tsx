import type { UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { barrier } from './barrier.ts';
import type { ChatClient } from './chat-clients.ts';
import { chatFixture, pay } from './chat-fixture.ts';
import { contentsOf } from './response-contents.ts';

const script = [[pay('alice', 30)], [{ text: 'Paid.' }]];
const continued = ['approved', 'text Paid.', 'call-0-0 gave {"paid":30,"to":"alice"}'];

/** Tests of answers given with `useChat` while a page that was opened again replays the response. */
export function describeUseChatResume(client: ChatClient): void {
  describe(`useChat over ${client.name}: answers while the page is opened again`, () => {
    it('loses an answer that is given before the replay has reached the question, which is shown again', async () => {
      const { open, ran } = await waiting(client);
      const { page, slow, exchanges } = await slowly(open, 'start');
      await page.waitForStatus('submitted');
      await page.approve();
      slow.lift();
      await page.waitForStatus('ready');
      await page.waitForQuestion('pay');
      expect([ran, exchanges]).toEqual([[], []]);
      await page.approve();
      await page.waitForText('Paid.');
      expect(ran).toHaveLength(1);
    });

    it('sends an answer that is given after the replay has reached the question', async () => {
      const { open, ran } = await waiting(client);
      const { page, slow, exchanges } = await slowly(open, 'finish-step');
      await page.waitForStatus('streaming');
      await page.approve();
      expect(ran).toEqual([]);
      slow.lift();
      await page.waitForText('Paid.');
      expect(ran).toHaveLength(1);
      expect(await contentsOf(exchanges)).toEqual([continued]);
    });

    it('sends every answer if the page resumes active runs only: nothing is replayed while a question is open', async () => {
      const { open, stored, ran } = await waiting(client);
      const { page, exchanges } = await open({ resumes: (status) => status === 'active' });
      expect(page.chat.status).toBe('ready');
      await page.approve();
      await page.waitForText('Paid.');
      expect(ran).toHaveLength(1);
      expect(await contentsOf(exchanges)).toEqual([continued]);
      expect(page.messages).toEqual((await stored()).messages);
    });

    it('shows the end of an active run, and its next question, to a page that resumes active runs only', async () => {
      const midway = barrier();
      const slowly = [{ text: 'Let me ' }, { wait: midway.wait }, { text: 'look.' }, pay('alice', 30)];
      const { open, ran } = await chatFixture(client, [slowly, [{ text: 'Paid.' }]]);
      const { page } = await open();
      page.send('Pay.');
      await page.waitForDraft('Let me ');
      page.leave();

      const { page: later } = await open({ resumes: (status) => status === 'active' });
      await later.waitForDraft('Let me ');
      midway.lift();
      await later.approve('pay');
      await later.waitForText('Paid.');
      expect(ran).toHaveLength(1);
    });
  });
}

/** A chat with an open question that its first page has left. */
async function waiting(client: ChatClient) {
  const fixture = await chatFixture(client, script);
  const { page } = await fixture.open();
  page.send('Pay.');
  await page.waitForQuestion('pay');
  await page.waitForStatus('ready');
  page.leave();
  return fixture;
}

/** A page that resumes whatever the chat waits for, over a connection that is slow from this chunk on. */
async function slowly(open: Awaited<ReturnType<typeof waiting>>['open'], from: UIMessageChunk['type']) {
  const slow = barrier();
  return { slow, ...(await open({ hold: { from, until: slow.wait } })) };
}
