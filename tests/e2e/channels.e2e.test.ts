import { expect, it } from 'vitest';
import { askToPay, paidAmounts, programKey, receivers } from '../support/channels/receivers.ts';
import { waysToAnswer } from '../support/channels/ways-to-answer.ts';
import { runApprovals } from '../support/fake-terminal.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';
import { waitFor } from '../support/wait-for.ts';

it('a question reaches a webhook, Slack, an inbox and the command line once each, is answered from each of them, and every other place shows the outcome', async () => {
  const everywhere = await receivers();
  const { places } = everywhere;
  const { url } = await serveAppRoutes(everywhere.environment);
  everywhere.connectSlack(() => url);
  const asked: { readonly amount: number; readonly id: string }[] = [];
  for (const amount of [31, 32, 33, 34]) asked.push({ amount, id: await askToPay(url, amount) });
  for (const { id, amount } of asked) {
    await waitFor(() => {
      const { messages, mails, events } = places(id, amount);
      expect([messages.length, mails.length, events]).toEqual([1, 1, ['question.opened']]);
    });
  }
  const list = async () =>
    JSON.parse((await runApprovals({ url }, programKey, ['list', '--json'])).text).approvals.map(
      (question: { id: string }) => question.id,
    );
  expect((await list()).sort()).toEqual(asked.map(({ id }) => id).sort());

  const ways = Object.entries(waysToAnswer(everywhere, () => url));
  for (const [index, [via, answer]] of ways.entries()) {
    const { id, amount } = asked[index] ?? { id: '', amount: 0 };
    await answer(id, amount);
    const { text } = await runApprovals({ url }, programKey, ['show', id, '--json']);
    const { approval } = JSON.parse(text);
    expect([approval.state, approval.answer?.via]).toEqual([
      'approved',
      via === 'command line' ? 'http' : via,
    ]);
  }
  for (const { id, amount } of asked) {
    await waitFor(() => {
      const { messages, mails, events, copies } = places(id, amount);
      expect(messages.map(({ text }) => text)).toEqual([expect.stringMatching(/^Approved by ci: /)]);
      expect(mails.map(({ text }) => /^Approved by ci/.test(text ?? ''))).toEqual([false, true]);
      expect(events).toEqual(['question.opened', 'question.settled']);
      expect(copies).toEqual({ mails: 2, events: 2 });
    });
  }
  expect(await list()).toEqual([]);
  await waitFor(async () => expect((await paidAmounts(url)).toSorted()).toEqual([31, 32, 33, 34]));
});
