import { verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { checkLog } from '../../support/check-log.ts';
import { ada, questionIn } from '../../support/flow-fixture.ts';
import { pay, research, subagentFixture } from '../../support/subagent-fixture.ts';

const stores = administeredStoresOfThisRun('SQLite');

const both = [research('r1', 'one'), research('r2', 'two')];

describe.each(stores)('subagents on %s', (_name, create) => {
  it('another instance continues after each answer, and erasure leaves nothing', async () => {
    const { store, another } = create();
    const asks = () => [pay('p')];
    const says = () => [{ text: 'Paid.' }];
    const auditKey = 'an audit key for tests';
    const one = subagentFixture([both], asks, { store, auditKey, sweepMs: 1e9 });
    const first = questionIn(await one.chat().say('Go.'));
    const two = subagentFixture([], says, { store: another(), auditKey, sweepMs: 1e9 });
    const second = questionIn(await two.chat().answer(first, true));
    const three = subagentFixture([[{ text: 'Done.' }]], says, { store: another(), auditKey, sweepMs: 1e9 });
    const { answer, id, view } = three.chat();
    await Promise.all([answer(second, false), answer(second, true)]);
    expect(one.agentRan).toEqual([]);
    expect(two.agentRan).toHaveLength(1);
    expect(three.agentRan.length).toBeLessThanOrEqual(1);
    expect((await view()).questions.map(({ state }) => state === 'open')).toEqual([false, false]);
    const log = await three.store.events.read(id, 0);
    expect(checkLog(log)).toEqual([]);
    expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
    const ends = log.flatMap((event) => (event.type === 'tool-completed' ? [event.toolCallId] : []));
    expect(ends.filter((call) => call === 'r1' || call === 'r2')).toEqual(['r1', 'r2']);
    const record = await three.flow.audit.read({ chatId: id, principal: ada });
    expect(verifyAudit(record.entries, { key: auditKey, head: record.head })).toBeUndefined();
    await three.flow.chats.erase({ chatId: id, principal: ada });
    expect(await three.store.events.read(id, 0)).toEqual([]);
    for (const { flow } of [one, two, three]) await flow.close();
  });
});
