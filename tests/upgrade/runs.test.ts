import { isToolUIPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { fixtureRows } from './support/restored.ts';
import { type Page, todaysFlow, untilAtRest } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'SQLite');

async function lastMessage({ view }: Page) {
  const { messages, run } = await view();
  expect(run.status).toBe('idle');
  return messages.at(-1);
}

const unknown = expect.objectContaining({
  toolCallId: 'call-1-0',
  state: 'output-error',
  errorText: expect.stringContaining('outcome-unknown'),
});

describe.each(rows)('%s: runs that the previous version did not finish', (_name, restore) => {
  it.for([
    ['crashed', 'a call of ours'],
    ['crashed-provider', "a provider's call"],
  ])('settles %s, %s that had started, as unknown, and does not start it again', async ([id]) => {
    const { flow, chat, ran, model } = todaysFlow(await restore());
    await flow.recover();
    const page = chat(id);
    await untilAtRest(page);
    expect(ran.filter((call) => call.startsWith('pay'))).toEqual([]);
    const message = await lastMessage(page);
    expect(message?.parts).toContainEqual(unknown);
    expect(message?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' });
    // The provider would start its call when it receives the approval.
    const told = model.calls.flatMap(({ prompt }) => prompt.filter(({ role }) => role === 'tool'));
    const approvals = told.flatMap(({ content }) =>
      Array.isArray(content)
        ? content.filter((part) => part.type === 'tool-approval-response' && part.approved)
        : [],
    );
    expect(approvals).toEqual([]);
  });

  it('runs an idempotent call again, under its old id', async () => {
    const { flow, chat, ran } = todaysFlow(await restore());
    await flow.recover();
    const page = chat('crashed-idempotent');
    await untilAtRest(page);
    expect(ran.filter((call) => call.startsWith('charge'))).toEqual(['charge:call-1-0']);
    expect((await lastMessage(page))?.parts).toContainEqual(
      expect.objectContaining({ toolCallId: 'call-1-0', state: 'output-available' }),
    );
  });

  it('answers a message that had no answer yet', async () => {
    const { flow, chat } = todaysFlow(await restore());
    await flow.recover();
    const page = chat('crashed-talking');
    await untilAtRest(page);
    expect((await lastMessage(page))?.parts.at(-1)).toMatchObject({ text: 'You said: Hello.' });
  });

  it('applies a stop request, and does not call the model', async () => {
    const { flow, chat, ran, model } = todaysFlow(await restore());
    await flow.recover();
    const page = chat('crashed-stopped');
    await untilAtRest(page);
    const call = (await lastMessage(page))?.parts.find(isToolUIPart);
    expect(call).toMatchObject({ toolCallId: 'call-1-0', state: 'output-error' });
    expect(ran.filter((each) => each.startsWith('pay'))).toEqual([]);
    expect(model.calls.filter(({ prompt }) => JSON.stringify(prompt).includes('52'))).toEqual([]);
  });

  it('still shows an unknown outcome as unknown, and sends it to the model', async () => {
    const { chat, ran, model } = todaysFlow(await restore());
    const page = chat('unknown');
    expect((await page.view()).messages.at(-1)?.parts).toContainEqual(unknown);
    await page.say('And now?');
    expect(ran).toEqual([]);
    expect((await page.view()).messages[1]?.parts).toContainEqual(unknown);
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('outcome-unknown');
  });
});
