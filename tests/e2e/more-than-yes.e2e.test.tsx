import { askPerson } from 'countersign';
import { describe, expect, it } from 'vitest';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { chatFixture, pay } from '../support/chat-fixture.ts';
import { countingTools } from '../support/flow-fixture.ts';
import { dates, stay } from '../support/form-fixture.ts';
import { upTo100 } from '../support/options-fixture.ts';

const options = [{ id: 'all', label: 'Approve', then: 'approve' as const }, upTo100];

describe.each([sseClient, bidiClient])('an unmodified useChat over $name', (client) => {
  const clientTools = ['askForDates'];
  const script = [
    [{ call: 'askForDates', input: { question: 'When?' }, id: 'when' }, pay('alice', 30)],
    [{ text: 'Booked.' }],
  ];
  const open = async () => {
    const { tools, ran } = countingTools();
    const all = { ...tools, askForDates: askPerson({ schema: stay }) };
    const served = await chatFixture(client, script, { clientTools, tools: all } as never);
    const { page, exchanges } = await served.open();
    page.send('Book a room.');
    await page.waitForQuestion('askForDates');
    const fillIn = (output: unknown) =>
      page.chat.addToolOutput({ tool: 'askForDates', toolCallId: 'when', output: output as never });
    return { ...served, ran, page, exchanges, fillIn };
  };

  it('sends what a person filled in as the output of the call, and continues with the next question', async () => {
    const { page, fillIn, stored, model, ran } = await open();
    void fillIn(dates);
    await page.waitForQuestion('pay');
    await page.approve();
    await page.waitForText('Booked.');
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain(JSON.stringify(dates));
    expect(ran).toHaveLength(1);
    const parts = (await stored()).messages.at(-1)?.parts.filter(({ type }) => type === 'tool-askForDates');
    expect(parts).toMatchObject([{ state: 'output-available', output: dates }]);
  });

  it('gets an error for a value that does not fit, and can send another one', async () => {
    const { page, fillIn, stored } = await open();
    void fillIn({ nights: 0 });
    await expect.poll(() => page.chat.error?.message).toContain('does not fit the schema');
    expect((await stored()).run.status).toBe('waiting');
    void fillIn(dates);
    await page.waitForQuestion('pay');
  });

  it('approves a question with options by its plain option', async () => {
    const { tools, ran } = countingTools();
    const toolDetails = { pay: { options } };
    const served = await chatFixture(client, [[pay('alice', 250)], [{ text: 'Paid.' }]], {
      tools,
      toolDetails,
    } as never);
    const { page } = await served.open();
    page.send('Pay.');
    await page.waitForQuestion('pay');
    await page.approve();
    await page.waitForText('Paid.');
    expect(ran).toMatchObject([{ input: { amount: 250 } }]);
  });

  it('sends an option that its transport keeps with the answer', async () => {
    const { tools, ran } = countingTools();
    const toolDetails = { pay: { options } };
    const served = await chatFixture(client, [[pay('alice', 250)], [{ text: 'Paid.' }]], {
      tools,
      toolDetails,
    } as never);
    const { page, transport } = await served.open();
    page.send('Pay.');
    const { approvalId: id = '' } = await page.waitForQuestion('pay');
    void page.chat.addToolApprovalResponse(transport.keepAnswer({ id, approved: true, option: 'up-to-100' }));
    await page.waitForText('Paid.');
    expect(ran).toMatchObject([{ input: { amount: 100 } }]);
  });
});
