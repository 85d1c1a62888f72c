import { imports } from 'countersign/plugins/imports';
import { describe, expect, it } from 'vitest';
import { bidiClient, type ChatClient, sseClient } from '../support/chat-clients.ts';
import { chatFixture } from '../support/chat-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { importedPayment, person, waiting } from '../support/imported-chats.ts';
import { openPage } from '../support/open-page.ts';

const clients = [sseClient, bidiClient] as const;
const releases = ['final', 'progressive'] as const;
const rows = clients.flatMap((client) => releases.map((release) => [client.name, release, client] as const));

/** A page that loads the stored messages. It does not replay the response, which would overwrite an early answer. */
async function load(client: ChatClient, { url, stored }: Awaited<ReturnType<typeof chatFixture>>) {
  const { messages } = await stored();
  const { transport } = client.connect(url);
  return openPage({ id: 'chat', messages, transport, sendAutomaticallyWhen: client.predicate() });
}

describe.each(rows)('an imported chat over %s, %s', (_name, release, client) => {
  it('answers its open approvals one by one, and shows what is stored', async () => {
    const script = [[{ text: 'Done.' }], [{ text: 'You are welcome.' }]];
    const fixture = await chatFixture(client, script, { release, plugins: [imports()] });
    const { stored, flow, ran } = fixture;
    const [mark, first] = waiting('one', 'pay', 30).parts;
    const [, second] = waiting('two', 'pay', 40).parts;
    const parts = [mark, first, second].filter((part) => part !== undefined);
    const messages = [person, { id: 'a1', role: 'assistant' as const, parts }];
    await flow.imports.chat({ principal: ada, chatId: 'chat', messages });

    const page = await load(client, fixture);
    await page.approve('pay');
    await page.deny('pay');
    await page.waitForText('Done.');
    expect(ran.map(({ input }) => input)).toEqual([{ to: 'Alice', amount: 30 }]);
    page.send('Thanks.');
    await page.waitForText('You are welcome.');
    expect(page.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(page.messages).toEqual((await stored()).messages);
  });

  it('continues after a reload while it waits', async () => {
    const fixture = await chatFixture(client, [[{ text: 'Done.' }]], { release, plugins: [imports()] });
    const { stored, flow, ran } = fixture;
    await flow.imports.chat({ principal: ada, chatId: 'chat', messages: importedPayment });
    const early = await load(client, fixture);
    await early.waitForQuestion('pay');
    early.leave();
    const page = await load(client, fixture);
    await page.approve('pay');
    await page.waitForText('Done.');
    expect(ran).toHaveLength(1);
    expect(page.messages).toEqual((await stored()).messages);
  });
});
