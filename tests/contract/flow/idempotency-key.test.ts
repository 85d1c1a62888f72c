import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, types } from '../../support/flow-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const leaseMs = 10_000;
const call = { call: 'pay', id: 'functions.pay:0', input: {} };

/** A tool that notes the keys it is given, and that does as it is told. */
function paying(act: (run: number) => unknown = () => 'paid') {
  const keys: string[] = [];
  const pay = tool({
    inputSchema: z.looseObject({}),
    execute: (_input, { context }) => {
      keys.push((context as { idempotencyKey: string }).idempotencyKey);
      return act(keys.length) as string;
    },
  });
  const settings: Partial<FlowSettings> = {
    tools: { pay } as ToolSet,
    toolDetails: { pay: { idempotent: true } },
    logger: { warn: () => {}, error: () => {} },
    leaseMs,
  };
  return { keys, settings };
}

/** Every turn of every chat pays under the same call id. */
const script = ({ prompt }: { prompt: readonly { role: string }[] }): ScriptedStep =>
  prompt.at(-1)?.role === 'user' ? [call] : [{ text: 'Paid.' }];

describe('the idempotency key of a call', () => {
  it('differs between two chats whose models chose the same call id', async () => {
    const { keys, settings } = paying();
    const { chat } = flowFixture(script, settings);
    await chat('one').say('Pay.');
    await chat('two').say('Pay.');
    const [first, second] = keys;
    expect(first).toMatch(/^idem_[\w-]{43}$/);
    expect(second).toMatch(/^idem_[\w-]{43}$/);
    expect(first).not.toBe(second);
  });

  it('is the same at an automatic retry', async () => {
    const clock = fakeClock();
    const { keys, settings } = paying((run) => {
      if (run === 1) throw Object.assign(new Error('Busy.'), { status: 503 });
      return 'paid';
    });
    const { chat } = flowFixture(script, { ...settings, clock });
    const response = chat().say('Pay.');
    await clock.timer(0);
    clock.advance(0);
    await response;
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('is the same after a takeover, and in a restored backup', async () => {
    const path = join(folder, 'live.sqlite');
    const backup = join(folder, 'backup.sqlite');
    const started = Promise.withResolvers<void>();
    const { keys, settings } = paying((run) => {
      started.resolve();
      return run === 1 ? Promise.withResolvers<string>().promise : 'paid';
    });
    const clock = fakeClock();
    const live = flowFixture(script, { ...settings, store: sqliteStore({ path }), clock });
    void live.chat().say('Pay.');
    await started.promise;
    const connection = new DatabaseSync(path);
    connection.exec(`VACUUM INTO '${backup}'`);
    connection.close();
    for (const file of [path, backup]) {
      const later = fakeClock(clock.now() + leaseMs);
      const next = flowFixture(script, { ...settings, store: sqliteStore({ path: file }), clock: later });
      await next.flow.recover();
      expect(types((await next.chat().resume()) ?? [])).toContain('tool-output-available');
    }
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('differs when the id of an erased chat is used again', async () => {
    const { keys, settings } = paying();
    const { flow, id, say } = flowFixture(script, settings);
    await say('Pay.');
    await flow.erase({ chatId: id, principal: ada });
    await say('Pay.');
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  });

  it('differs for a retry that a person requests, because that is a new call', async () => {
    const { keys, settings } = paying((run) => {
      if (run === 1) throw Object.assign(new Error('Later.'), { retryable: true });
      return 'paid';
    });
    const { flow, read, id, say } = flowFixture(script, settings);
    await say('Pay.');
    const toolCallId = parseToolCallId(call.id);
    await read(await flow.retryCall({ chatId: id, principal: ada, toolCallId }));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  });

  it('is the same in a chat that was read from its log', async () => {
    const path = join(folder, 'again.sqlite');
    const { keys, settings } = paying();
    const first = flowFixture([[{ call: 'pay', id: 'a', input: {} }], [{ text: 'Paid.' }]], {
      ...settings,
      store: sqliteStore({ path }),
    });
    await first.chat().say('Pay.');
    const { createHash } = await import('node:crypto');
    const [event] = await first.store.read(first.chat().id, 0, 1);
    const digest = createHash('sha256').update(JSON.stringify([event?.runId, 'chat', 'a']));
    expect(keys).toEqual([`idem_${digest.digest('base64url')}`]);
  });
});
