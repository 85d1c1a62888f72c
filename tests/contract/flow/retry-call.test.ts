import { type ToolSet, tool } from 'ai';
import { checkResponseTiming } from 'countersign/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { checkLog } from '../../support/check-log.ts';
import { ada, flowFixture, framed, questionIn, questionTypes, types } from '../../support/flow-fixture.ts';

const closed = Object.assign(new Error('The bank is closed.'), { isRetryable: true });

it('a retry continues with the same message, asks again like the first attempt, and leaves a sound log [D22, T4]', async () => {
  let runs = 0;
  const pay = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: async () => {
      runs += 1;
      if (runs === 1) throw closed;
      return 'paid';
    },
  });
  const tools: ToolSet = { pay };
  const { flow, read, id, say, answer, events, view } = flowFixture(
    [[{ call: 'pay', input: {}, id: 'a' }], [{ text: 'Failed.' }], [{ text: 'Paid.' }]],
    {
      tools,
    },
  );
  const asked = await say('Pay');
  const failed = await answer(questionIn(asked), true);
  const again = await read(
    await flow.chats.retryCall({ chatId: id, principal: ada, toolCallId: parseToolCallId('a') }),
  );
  const paid = await answer(questionIn(again), true);
  expect(types(again)).toEqual(framed(...questionTypes));
  expect(types(paid)).toContain('tool-output-available');
  expect(new Set([asked, failed, again, paid].map(([start]) => JSON.stringify(start))).size).toBe(1);
  expect(checkResponseTiming([asked, failed])).toEqual([]);
  expect(runs).toBe(2);
  expect((await view()).messages).toHaveLength(2);
  expect(checkLog(await events())).toEqual([]);
});

it('a call whose outcome is unknown cannot be retried, because it may have run', async () => {
  const { flow, id, run, ran } = unknownCall();
  await run();
  const retry = flow.chats.retryCall({ chatId: id, principal: ada, toolCallId: parseToolCallId('act') });
  await expect(retry).rejects.toMatchObject({ code: 'invalid-request', fields: { toolCallId: 'act' } });
  expect(ran()).toBe(1);
});

/** A call that loses its connection. */
function unknownCall() {
  let runs = 0;
  const act = tool({
    inputSchema: z.object({}),
    execute: (): string => {
      runs += 1;
      throw Object.assign(new Error('Reset.'), { code: 'ECONNRESET' });
    },
  });
  const script = [[{ call: 'act', input: {}, id: 'act' }], [{ text: 'I do not know.' }], [{ text: 'Done.' }]];
  const { flow, chat } = flowFixture(script, { tools: { act } });
  const { id, say } = chat();
  return { flow, id, run: () => say('Act.'), ran: () => runs };
}
