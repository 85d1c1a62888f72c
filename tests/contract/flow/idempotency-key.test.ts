import { createHash } from 'node:crypto';
import { type ToolSet, tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { flowFixture } from '../../support/flow-fixture.ts';

it('the idempotency key of a call follows from its log', async () => {
  const keys: string[] = [];
  const pay = tool({
    inputSchema: z.looseObject({}),
    execute: (_input, { context }) => {
      keys.push((context as { idempotencyKey: string }).idempotencyKey);
      return 'paid';
    },
  });
  const script = [[{ call: 'pay', id: 'a', input: {} }], [{ text: 'Paid.' }]];
  const { store, say, id } = flowFixture(script, { tools: { pay } as ToolSet });
  await say('Pay.');
  const [event] = await store.events.read(id, 0, 1);
  const digest = createHash('sha256').update(JSON.stringify([event?.runId, 'chat', 'a']));
  expect(keys).toEqual([`idem_${digest.digest('base64url')}`]);
});
