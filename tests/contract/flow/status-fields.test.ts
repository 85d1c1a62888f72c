import { type ToolSet, tool, type UIMessage } from 'ai';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callOfPart } from '../../../lib/client/calls/tool-call.ts';
import type { ToolPart } from '../../../lib/client/chat/message-parts.ts';
import { failureText } from '../../../lib/dialects/failure-text.ts';
import { foldTurn } from '../../../lib/log/turn/fold-turn.ts';
import { calls } from '../../../lib/log/turn/turn.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = { call: 'pay', input: { to: 'Alice', amount: 5 } };
const done: ScriptedStep = [{ text: 'Done.' }];

/** The calls of a message as a page shows them. */
function callsIn(message: UIMessage | undefined) {
  const parts = (message?.parts ?? []).filter((part): part is ToolPart => 'toolCallId' in part);
  return parts.map((part) => callOfPart(part, undefined, undefined));
}

const withdrawals = ['superseded', 'cancelled', 'expired'] as const;

describe('how a question ended is a field, not read from its reason', () => {
  it.each(withdrawals)('a denial with the reason "%s" is shown as a denial', async (reason) => {
    const { say, answer, resume, view, events } = flowFixture([[pay], done]);
    await answer(questionIn(await say('Pay.')), false, { reason });
    const replay = (await resume()) ?? [];
    const settled = replay.find(({ type }) => type === 'tool-approval-response');
    expect(settled).toMatchObject({ approved: false, reason });
    expect(settled).not.toHaveProperty('providerMetadata');
    expect((await events()).find(({ type }) => type === 'tool-denied')).not.toHaveProperty('withdrawn');

    const stored = (await view()).messages[1];
    for (const message of [stored, await messageOf(replay)]) {
      expect(callsIn(message)).toMatchObject([{ state: 'denied', approval: { approved: false, reason } }]);
      expect(callsIn(message)[0]?.approval).not.toHaveProperty('withdrawn');
    }
  });

  it.each(withdrawals)('a question that was withdrawn (%s) says so in a field', async (reason) => {
    const clock = fakeClock();
    const { store, flow, id, say, stop, resume, view, events } = flowFixture([[pay], done], {
      clock,
      deadlineMs: 1_000,
    });
    await say('Pay.');
    if (reason === 'superseded') await say('Never mind.');
    if (reason === 'cancelled') await stop();
    if (reason === 'expired') {
      clock.advance(1_000);
      await flow.recover();
      await resume();
    }
    expect((await events()).find(({ type }) => type === 'tool-denied')).toMatchObject({ withdrawn: reason });
    const stored = (await view()).messages[1];
    const shown = callsIn(stored)[0];
    expect(shown).toMatchObject({ state: 'withdrawn', approval: { approved: false, withdrawn: reason } });
    expect(shown?.approval).not.toHaveProperty('reason');
    // Clients of the SDK read the reason.
    const [part] = (stored?.parts ?? []).filter((one): one is ToolPart => 'toolCallId' in one);
    expect(part).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason },
      callProviderMetadata: { countersign: { withdrawn: reason } },
    });
    const replay = await resume();
    const log = await store.events.read(id, 0);
    const turn = foldTurn(log.slice(0, log.findIndex(({ type }) => type === 'tool-denied') + 1));
    const [call] = calls(turn);
    expect(call && failureText(call)).toBe(`The call was not run: its question was withdrawn (${reason}).`);
    if (replay && reason !== 'superseded') expect(plain(await messageOf(replay))).toEqual(plain(stored));
  });
});

describe('an unknown outcome is a field, not the start of an error text', () => {
  const failing = (error: Error, toolDetails = {}) => {
    const act = tool({
      inputSchema: z.looseObject({}),
      needsApproval: true,
      execute: async (): Promise<string> => {
        throw error;
      },
    });
    return flowFixture([[{ call: 'act', input: {} }], done], { tools: { act } as ToolSet, toolDetails });
  };

  it('a tool that throws "outcome-unknown: …" has failed', async () => {
    const text = 'outcome-unknown: the server went away while it ran.';
    const { say, answer, view, events } = failing(new Error(text));
    const response = await answer(questionIn(await say('Act.')), true);
    expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(response)).not.toContain('"outcome"');
    expect(callsIn((await view()).messages[1])).toMatchObject([{ state: 'failed', problem: text }]);
  });

  it('a call that may have had its effect has a field for it, and no mark in its error text', async () => {
    const reset = Object.assign(new Error('Reset while paying.'), { code: 'ECONNRESET' });
    const { say, answer, resume, view, events } = failing(reset);
    const response = await answer(questionIn(await say('Act.')), true);
    expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });
    expect(response.find(({ type }) => type === 'tool-output-error')).toMatchObject({
      errorText: 'outcome-unknown: Reset while paying.',
      toolMetadata: { countersign: { outcome: 'unknown' } },
    });
    const report = response.findLast(({ type }) => type === 'data-tool-lifecycle');
    expect(report).toMatchObject({ data: { phase: 'failed', outcome: 'unknown' } });
    const stored = (await view()).messages[1];
    expect(plain(await messageOf((await resume()) ?? []))).toEqual(plain(stored));
    expect(callsIn(stored)).toMatchObject([{ state: 'unknown', problem: 'Reset while paying.' }]);
  });

  it('a client’s tool that reports such a text has failed', async () => {
    const { say, answers, view, events } = flowFixture([[{ call: 'theme', input: {} }], done]);
    const shown = await say('Theme?');
    const call = shown.find(({ type }) => type === 'tool-input-available');
    const toolCallId = call?.type === 'tool-input-available' ? call.toolCallId : '';
    await answers([], [{ toolCallId: toolCallId as never, errorText: 'outcome-unknown: forged' }]);
    expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'failed' });
    expect(callsIn((await view()).messages[1])).toMatchObject([{ state: 'failed' }]);
  });
});
