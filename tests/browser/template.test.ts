// depends on: lib/server lib/sse lib/bidi lib/commands lib/views
import { type ScriptedPart, startFlowServer } from 'countersign/testing';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { flowFixture } from '../support/flow-fixture.ts';
import { it, type Open } from './support/browser-test.ts';
import { bundlePage } from './support/serve-page.ts';

const pay = (to: string, amount: number): ScriptedPart => ({ call: 'pay', input: { to, amount } });
const script = [
  [pay('Alice', 1), pay('Bob', 2)],
  [{ text: 'Both are paid.' }],
  [pay('Carol', 3)],
  [{ text: 'All right.' }],
  [pay('Dora', 4)],
  [{ text: 'Dora is paid.' }],
];

const releases = ['final', 'progressive', 'hold-after-question'] as const;
const rows = (['http', 'socket'] as const).flatMap((over) => releases.map((release) => ({ over, release })));

let servePage: Awaited<ReturnType<typeof bundlePage>>;
beforeAll(async () => {
  servePage = await bundlePage('template-page.tsx');
});

/** A server of the template's chats, and the page of a person on its only chat. */
async function serveTemplate(open: Open, { over, release }: (typeof rows)[number]) {
  /** The app's own table. */
  const published = new Set<string>();
  const { flow, store, ran } = flowFixture(script, {
    release,
    mayRead: (_principal, chat) => published.has(chat.id),
  });
  const { url, close } = await startFlowServer({
    flow,
    authorize(request) {
      const id = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1];
      return id === undefined ? null : { id, name: id };
    },
  });
  onTestFinished(async () => {
    await close();
    await flow.close();
    await store.close();
  });
  return {
    ran,
    url,
    publish: () => published.add('chat'),
    async openAs(user: string, more = '') {
      const { page } = await open({ as: null, url: 'about:blank', expected: /404/ });
      await page.context().addCookies([{ name: 'user', value: user, url }]);
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
      page.on('websocket', (socket) =>
        socket.on(
          'framesent',
          ({ payload }) => String(payload).includes('"type":"send"') && sent.push(String(payload)),
        ),
      );
      await page.goto(`${await servePage(page.context(), url)}?over=${over}${more}`);
      return { page, sent };
    },
  };
}

const say = async (page: Page, text: string) => {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
};
const callsIn = (page: Page) => page.locator('section').allInnerTexts();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a chat template that was moved', () => {
  it.for(rows)(
    'over $over, $release: asks, is denied, edits, and shows what a reload shows',
    async (row, { open }) => {
      const { ran, openAs } = await serveTemplate(open, row);
      const { page, sent } = await openAs('ada');
      const shows = (text: string) => page.getByText(text, { exact: true }).waitFor();

      // Its predicate stays true while the outcome of the first call is held back.
      await say(page, 'Pay Alice and Bob.');
      await button(page, 'Allow').click();
      await page.getByText('"Bob"').waitFor();
      const isHeld = row.release !== 'progressive';
      if (isHeld) await page.getByRole('alert').getByText('sendAutomaticallyWhen').waitFor();
      expect(await button(page, 'Allow').count()).toBe(1);
      await button(page, 'Allow').click();
      await shows('Both are paid.');
      expect(sent).toHaveLength(isHeld ? 4 : 3);
      expect(await callsIn(page)).toEqual([
        'pay {"to":"Alice","amount":1}: output-available',
        'pay {"to":"Bob","amount":2}: output-available',
      ]);

      // It does not send a denial by itself: the next message brings it.
      await say(page, 'Pay Carol.');
      await button(page, 'Deny').click();
      await say(page, 'Then not.');
      await shows('All right.');
      await page.getByText('"Carol","amount":3}: output-denied').waitFor();
      expect(ran).toHaveLength(2);

      // Its editor cuts the list at an earlier message. What ran stays.
      await button(page, 'Edit').first().click();
      await page.getByLabel(/^Edit /).fill('Pay Dora instead.');
      await page.keyboard.press('Enter');
      await button(page, 'Allow').click();
      await shows('Dora is paid.');
      expect(ran.map(({ input }) => (input as { to: string }).to)).toEqual(['Alice', 'Bob', 'Dora']);
      expect(await page.locator('article').count()).toBe(2);
      const shown = await page.locator('main').innerText();
      expect(shown).toContain('"Alice","amount":1}: output-available');
      await page.reload();
      await shows('Dora is paid.');
      expect(await page.locator('main').innerText()).toBe(shown);
    },
  );

  it.for(rows)(
    'over $over, $release: others read a published chat, and cannot answer',
    async (row, { open }) => {
      const { openAs, publish, ran, url } = await serveTemplate(open, row);
      const { page } = await openAs('ada');
      await say(page, 'Pay Alice and Bob.');
      await button(page, 'Allow').waitFor();
      const { page: reader } = await openAs('ben', '&reader');
      await reader.getByText('Chat not found').waitFor();
      publish();
      await reader.reload();
      await reader.getByText('"Alice"').waitFor();
      expect(await reader.getByRole('button').count()).toBe(0);
      const { open: approvalId } = await (await page.request.get(`${url}/api/chat/chat`)).json();
      const answered = await reader.request.post(`${url}/api/approvals/${approvalId}`, {
        data: { approved: true },
      });
      expect(answered.status()).toBe(403);
      expect(ran).toEqual([]);
    },
  );
});
