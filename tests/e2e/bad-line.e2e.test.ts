import { createSseTransport } from 'countersign/sse';
import { checkResponseTiming, faultyFetch, faultyTransport, type LineFault } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { barrier } from '../support/barrier.ts';
import { bidiClient, type ChatClient, sseClient } from '../support/chat-clients.ts';
import { pay } from '../support/chat-fixture.ts';
import { openPage } from '../support/open-page.ts';
import { serveFixture } from '../support/serve-fixture.ts';

const script = [[pay('alice', 30)], [{ text: 'Paid.' }]];

/** What a page does after a broken connection. If a response had begun, sending again would repeat it. */
type Recovery = 'sendMessage' | 'resumeStream';
type Row = readonly [fault: string, answer: LineFault, recovery?: Recovery];

const faults: readonly Row[] = [
  ['arrives twice', { type: 'duplicate' }],
  ['is lost on its way', { type: 'lose-request' }, 'sendMessage'],
  ['loses its whole response', { type: 'lose-response' }, 'sendMessage'],
  ['loses its whole response, and resumes,', { type: 'lose-response' }, 'resumeStream'],
  ['loses the rest of its response', { type: 'lose-response', after: 3 }, 'resumeStream'],
];
const rows = [sseClient, bidiClient].flatMap((client) =>
  faults.map(([name, fault, recovery]) => [client.name, name, fault, recovery, client] as const),
);

/** A page with an open payment, over a connection that breaks the answer. */
async function openOverBadLine(client: ChatClient, fault: LineFault) {
  const served = await serveFixture(script);
  const { transport, exchanges } = client.connect(served.url);
  const page = openPage({
    id: 'chat',
    transport: faultyTransport(transport, { 1: fault }),
    sendAutomaticallyWhen: client.predicate(),
  });
  page.send('Pay Alice.');
  await page.waitForQuestion('pay');
  await page.waitForStatus('ready');
  const stored = async () => (await (await fetch(`${served.api}/chat`)).json()).messages.at(-1);
  return { ...served, page, exchanges, stored };
}

describe('an answer over a faulty connection', () => {
  it.each(rows)('%s: an answer that %s pays once', async (_client, _name, fault, recovery, client) => {
    const { page, ran, stored } = await openOverBadLine(client, fault);
    await page.approve();
    if (recovery) {
      await page.waitForStatus('error');
      void page.chat[recovery]();
    }
    const message = await page.waitForFinal();
    expect(ran).toHaveLength(1);
    expect(message.parts.at(-1)).toMatchObject({ type: 'text', text: 'Paid.' });
    expect(message).toEqual(await stored());
  });

  it.each([sseClient, bidiClient].map((client) => [client.name, client] as const))(
    '%s: a late answer pays when it arrives',
    async (_name, client) => {
      const { wait, lift } = barrier();
      const { page, ran, exchanges } = await openOverBadLine(client, { type: 'delay', until: wait });
      await page.approve();
      await page.waitForStatus('submitted');
      expect(ran).toEqual([]);
      lift();
      await page.waitForFinal();
      expect(ran).toHaveLength(1);
      const responses = await Promise.all(exchanges.map(({ chunks }) => chunks));
      expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
    },
  );

  it('a message and an answer that both arrive twice over `fetch` produce one turn and one payment', async () => {
    const { api, ran, model } = await serveFixture(script);
    const fetch = faultyFetch((request) => (request.method === 'POST' ? { type: 'duplicate' } : undefined));
    const page = openPage({
      id: 'chat',
      transport: createSseTransport({ api, fetch }),
      sendAutomaticallyWhen: sseClient.predicate(),
    });
    page.send('Pay Alice.');
    await expect.poll(() => page.chat.status, { interval: 5 }).not.toBe('submitted');
    // The run may refuse either copy of the message (H6).
    if (page.chat.status === 'error') void page.chat.sendMessage();
    await page.approve();
    await page.waitForFinal();
    expect(ran).toHaveLength(1);
    expect(model.calls).toHaveLength(2);
  });
});
