import { expect, it } from 'vitest';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { acting } from '../../support/acting-tool.ts';
import { barrier } from '../../support/barrier.ts';
import { ada, userMessage } from '../../support/flow-fixture.ts';

it('keeps a call that a person reported as not run, and sends the model its late outcome', async () => {
  const { wait, lift } = barrier();
  const { flow, clock, ask, read, id, events, model } = acting(() => wait.then(() => 'paid after all'), {
    details: { timeoutMs: 100 },
  });
  const response = ask({ message: userMessage('first', 'Go.') }).then(read);
  await clock.timer(100);
  clock.advance(100);
  await response;
  const log = await events();
  const call = log.find(({ type }) => type === 'tool-requested');
  const toolCallId = parseToolCallId(call?.type === 'tool-requested' ? call.toolCallId : '');
  await flow.approvals.resolveOutcome({ principal: ada, chatId: id, toolCallId, outcome: 'not-run' });
  await read(await ask({ trigger: 'regenerate-message' }));
  lift();
  await expect
    .poll(async () => (await events()).at(-1))
    .toMatchObject({ type: 'outcome-resolved', source: 'late' });
  await read(await ask({ message: userMessage('second', 'And?') }));
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('paid after all');
});
