import { type ToolSet, tool, type UIMessage } from 'ai';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callOfPart } from '../../../lib/client/calls/tool-call.ts';
import type { ToolPart } from '../../../lib/client/chat/message-parts.ts';
import { failureText } from '../../../lib/dialects/failure-text.ts';
import { foldTurn } from '../../../lib/log/turn/fold-turn.ts';
import { calls } from '../../../lib/log/turn/turn.ts';
import type { FlowEvent } from '../../../lib/protocol/index.ts';
import { storedChat } from '../../../lib/views/chat/stored-chat.ts';
import { redactEvents } from '../../../lib/views/reader/redact-events.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = { call: 'pay', input: { to: 'Alice', amount: 5 } };
const done: ScriptedStep = [{ text: 'Done.' }];

/** The calls of a message as a page shows them. */
function callsIn(message: UIMessage | undefined) {
  const parts = (message?.parts ?? []).filter((part): part is ToolPart => 'toolCallId' in part);
  return parts.map((part) => callOfPart(part, undefined, undefined));
}

/** The same log as the older version would have written it: its events have no status fields. */
function olderEvents(events: readonly FlowEvent[]): FlowEvent[] {
  return events.map((event) => {
    const {
      outcome: _outcome,
      withdrawn: _withdrawn,
      asker: _asker,
      ...older
    } = event as Record<string, unknown>;
    return (event.type === 'outcome-resolved' ? event : older) as FlowEvent;
  });
}

function storedFrom(events: readonly FlowEvent[]): UIMessage | undefined {
  const { messages } = storedChat(events, {
    chat: { id: 'chat' as never, ownerId: 'ada' },
    emitFrom: 0,
    replay: true,
    rights: () => ({ mayAnswer: true, mayEdit: true, mayRemember: true }),
  });
  return messages.find(({ role }) => role === 'assistant');
}

const withdrawals = ['superseded', 'cancelled', 'expired'] as const;

describe('how a question ended is a field, not read from its reason', () => {
  it.each(withdrawals)('a denial with the reason "%s" is shown as a denial', async (reason) => {
    const { store, id, say, answer, resume, view, events } = flowFixture([[pay], done]);
    await answer(questionIn(await say('Pay.')), false, { reason });
    const replay = (await resume()) ?? [];
    const settled = replay.find(({ type }) => type === 'tool-approval-response');
    expect(settled).toMatchObject({ approved: false, reason });
    expect(settled).not.toHaveProperty('providerMetadata');
    expect((await events()).find(({ type }) => type === 'tool-denied')).not.toHaveProperty('withdrawn');

    const stored = (await view()).messages[1];
    const older = olderEvents(await store.read(id, 0));
    for (const message of [stored, await messageOf(replay), storedFrom(older)]) {
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
    const older = storedFrom(olderEvents(await store.read(id, 0)));
    for (const message of [stored, older]) {
      const call = callsIn(message)[0];
      expect(call).toMatchObject({ state: 'withdrawn', approval: { approved: false, withdrawn: reason } });
      expect(call?.approval).not.toHaveProperty('reason');
    }
    // What a client of the older version reads stays as it was.
    const [part] = (stored?.parts ?? []).filter((one): one is ToolPart => 'toolCallId' in one);
    expect(part).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason },
      callProviderMetadata: { countersign: { withdrawn: reason } },
    });
    const replay = await resume();
    const log = await store.read(id, 0);
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
    const { store, id, say, answer, resume, view, events } = failing(reset);
    const response = await answer(questionIn(await say('Act.')), true);
    expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });
    expect(response.find(({ type }) => type === 'tool-output-error')).toMatchObject({
      errorText: 'outcome-unknown: Reset while paying.',
      toolMetadata: { countersign: { outcome: 'unknown' } },
    });
    const report = response.findLast(({ type }) => type === 'data-tool-lifecycle');
    expect(report).toMatchObject({ data: { phase: 'failed', outcome: 'unknown' } });
    const stored = (await view()).messages[1];
    const older = storedFrom(olderEvents(redactEvents(await store.read(id, 0))));
    expect(plain(await messageOf((await resume()) ?? []))).toEqual(plain(stored));
    for (const message of [stored, older]) {
      expect(callsIn(message)).toMatchObject([{ state: 'unknown', problem: 'Reset while paying.' }]);
    }
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
