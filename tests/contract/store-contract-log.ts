import { beforeEach, describe, expect, it } from 'vitest';
import {
  type EventBody,
  type FlowEvent,
  parseChatId,
  parseMessageId,
  parseToolCallId,
} from '../../lib/protocol/index.ts';
import { ana, answered, batch, chat, question, run, started, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Appending and reading: order, compare-and-set, claims, and payloads that come back as they went. */
export function logContract(use: UseStore): void {
  it('returns nothing for a chat without events', async () => {
    expect(await use().chats.head(chat)).toBeUndefined();
    expect(await use().events.read(chat, 0)).toEqual([]);
  });

  it('returns the events and the head of a batch', async () => {
    const first = batch(chat, 0, [text('one'), text('two')], {
      head: { title: 'Pay Alice', status: 'waiting', open: question('q').id, turnSeq: 2, runId: null },
    });
    expect(await use().append(first)).toBe('appended');
    expect(await use().events.read(chat, 0)).toEqual(first.events);
    expect(await use().chats.head(chat)).toEqual(first.head);
  });

  it('reads in order, after a seq, at most as many as requested', async () => {
    await use().append(batch(chat, 0, [text('1'), text('2'), text('3')]));
    await use().append(batch(chat, 3, [text('4'), text('5')]));
    const seqs = async (after: number, limit?: number) =>
      (await use().events.read(chat, after, limit)).map(({ seq }) => seq);
    expect(await seqs(0)).toEqual([1, 2, 3, 4, 5]);
    expect(await seqs(3)).toEqual([4, 5]);
    expect(await seqs(1, 2)).toEqual([2, 3]);
    expect(await seqs(4, 10)).toEqual([5]);
    expect(await seqs(5)).toEqual([]);
  });

  it('keeps the logs of chats separate', async () => {
    const other = parseChatId('chat-2');
    await use().append(batch(chat, 0, [answered('q'), text('mine')]));
    expect(await use().append(batch(other, 0, [answered('q')]))).toBe('appended');
    expect(await use().events.read(other, 0)).toHaveLength(1);
    expect(await use().events.read(chat, 0)).toHaveLength(2);
  });

  it.each([
    ['creates a chat that exists', 0],
    ['is based on an earlier seq', 1],
    ['is based on a seq that does not exist yet', 7],
  ])('refuses a batch that %s, and writes nothing of it', async (_, after) => {
    await use().append(batch(chat, 0, [text(), text()]));
    const before = await use().chats.head(chat);
    const late = batch(chat, after, [text('late')], { at: 9_000, questions: [question('q')] });
    expect(await use().append(late)).toBe('conflict');
    expect(await use().events.read(chat, 0)).toHaveLength(2);
    expect(await use().chats.head(chat)).toEqual(before);
    expect(await use().questions.read(question('q').id)).toBeUndefined();
  });

  it('refuses to continue a chat that does not exist', async () => {
    expect(await use().append(batch(chat, 3, [text()]))).toBe('conflict');
    expect(await use().chats.head(chat)).toBeUndefined();
  });

  it('lets exactly one of many simultaneous batches win', async () => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      use().append(batch(chat, 0, [text(`${index}`)])),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1);
    expect(await use().events.read(chat, 0)).toHaveLength(1);
  });

  const call = { toolCallId: parseToolCallId('call-1') };
  const end = { ...call, modelOutput: { type: 'text' as const, value: 'x' } };
  const withdrawn: EventBody = {
    type: 'approval-withdrawn',
    approvalId: question('q').id,
    reason: 'expired',
    ...call,
  };
  const completed: EventBody = { type: 'tool-completed', output: 1, summary: '1', resultCount: 1, ...end };
  const cancelled: EventBody = { type: 'tool-cancelled', reason: 'stopped', ...end };
  it.each<[string, EventBody, EventBody]>([
    ['a second answer', answered('q'), answered('q', false)],
    ['an answer after a withdrawal', withdrawn, answered('q')],
    ['a withdrawal after an answer', answered('q'), withdrawn],
    ['a second start of a call', started('call-1'), started('call-1')],
    ['a second end of a call', completed, cancelled],
  ])('refuses %s, and everything in the same batch', async (_, first, second) => {
    await use().append(batch(chat, 0, [first]));
    const before = await use().chats.head(chat);
    const late = batch(chat, 1, [text(), second, text()], { at: 9_000, questions: [question('other')] });
    expect(await use().append(late)).toBe('conflict');
    expect(await use().events.read(chat, 0)).toHaveLength(1);
    expect(await use().chats.head(chat)).toEqual(before);
    expect(await use().questions.read(question('other').id)).toBeUndefined();
    expect(await use().append(batch(chat, 1, [started('call-2')]))).toBe('appended');
  });

  it('refuses a batch that makes one claim twice', async () => {
    expect(await use().append(batch(chat, 0, [started('a'), started('a')]))).toBe('conflict');
    expect(await use().chats.head(chat)).toBeUndefined();
  });

  it('returns events that belong to no run without a run', async () => {
    const { events, ...rest } = batch(chat, 0, [text('one'), text('two')]);
    const previewed = { type: 'approval-previewed', approvalId: question('q').id } as const;
    const sent: FlowEvent[] = [{ ...previewed, ...call, seq: 1, at: 1_000 }, ...events.slice(1)];
    expect(await use().append({ ...rest, events: sent })).toBe('appended');
    const read = await use().events.read(chat, 0);
    expect(read).toEqual(sent);
    expect(read[0]).not.toHaveProperty('runId');
  });

  describe('an append that is retried with the same id', () => {
    const first = batch(chat, 1, [started('call-1'), text()], {
      id: 'batch "\ud83d',
      questions: [question('q')],
    });
    beforeEach(async () => {
      await use().append(batch(chat, 0, [text()]));
    });

    it('counts as written if the first attempt was, once', async () => {
      expect(await use().append(first)).toBe('appended');
      expect(await use().append(first)).toBe('appended');
      expect(await use().append({ ...first })).toBe('appended');
      expect(await use().events.read(chat, 1)).toEqual(first.events);
      expect(await use().questions.lastChange()).toBe(1);
    });

    it('counts as written even if others continued from it, took its lease or asked its run to stop', async () => {
      await use().append(first);
      await use().runs.requestStop(chat, run());
      const lease = { owner: 'there', until: 9_000 };
      await use().append(batch(chat, 3, [text()], { owner: 'there', lease }));
      expect(await use().append(first)).toBe('appended');
      expect(await use().events.read(chat, 0)).toHaveLength(4);
    });

    it('counts as written even if the record that it expected was deleted since', async () => {
      const record = { plugin: 'tides', kind: 'note', key: 'a', value: '' };
      await use().append(batch(chat, 1, [text()], { records: [record] }));
      const records = [{ ...record, expects: 1 }];
      const leaning = batch(chat, 2, [started('call-1')], { id: 'leaning', records });
      await use().append(leaning);
      await use().records.write([{ ...record, isDeleted: true }]);
      expect(await use().append(leaning)).toBe('appended');
      expect(await use().events.read(chat, 2)).toHaveLength(1);
    });

    it('conflicts when another batch is in its position, even with the same events', async () => {
      expect(await use().append({ ...first, id: 'another' })).toBe('appended');
      expect(await use().append(first)).toBe('conflict');
      const { id: _id, ...plain } = first;
      expect(await use().append(plain)).toBe('conflict');
    });

    it('conflicts when the chat was erased, even if its id is reused', async () => {
      await use().append(first);
      await use().chats.erase(chat, 'ana', 2_000);
      expect(await use().append(first)).toBe('conflict');
      await use().append(batch(chat, 0, [text(), text(), text()]));
      expect(await use().append(first)).toBe('conflict');
    });

    it('conflicts when its chat was erased, and another chat with its id has reached the same seq', async () => {
      await use().append(first);
      const next = batch(chat, 3, [text()], { id: 'next', owner: 'here' });
      await use().chats.erase(chat, 'ana', 2_000);
      const begun = { at: 3_000, owner: 'there', head: { createdAt: 3_000, title: 'Another' } };
      await use().append(batch(chat, 0, [text(), text(), text()], begun));
      expect(await use().append(next)).toBe('conflict');
      expect(await use().append(batch(chat, 3, [text()], begun))).toBe('appended');
      expect(await use().chats.head(chat)).toMatchObject({ seq: 4, title: 'Another' });
    });

    it('counts as written among concurrent appends', async () => {
      const others = Array.from({ length: 4 }, (_, index) => parseChatId(`other-${index}`));
      await use().append(first);
      const outcomes = [first, ...others.map((id) => batch(id, 0, [text()], { id: `of ${id}` }))].map(
        (each) => use().append(each),
      );
      expect(await Promise.all(outcomes)).toEqual(Array(5).fill('appended'));
      expect(await use().events.read(chat, 0)).toHaveLength(3);
    });
  });

  const good = batch(chat, 0, [text(), text()]);
  it.each([
    ['has no events', batch(chat, 0, [])],
    ['has a gap in its seqs', { ...good, events: good.events.toReversed() }],
    ['does not begin after its `after`', { ...good, after: 4 }],
    ['has a head with another seq', { ...good, head: { ...good.head, seq: 1 } }],
    ['has the head of another chat', { ...good, head: { ...good.head, id: parseChatId('chat-2') } }],
    [
      'has a question of another chat',
      { ...good, questions: [question('q', { chatId: parseChatId('chat-2') })] },
    ],
  ])('throws for a batch that %s, and writes nothing', async (_, bad) => {
    await expect(use().append(bad)).rejects.toMatchObject({ name: 'CountersignError', code: 'internal' });
    expect(await use().chats.head(chat)).toBeUndefined();
  });

  it.each([
    ['emoji and combining marks', 'pay 👩‍👩‍👧 é ﷽'],
    ['half a surrogate pair', 'cut \ud83d'],
    ['control characters and a NUL', 'a\u0000b\u001f\u2028'],
    ['line breaks and backslashes', 'a\nb\r\n\\n\\\nc'],
    ['quotes and SQL', `'); drop table events; --"`],
    ['a megabyte', 'é'.repeat(500_000)],
  ])('returns %s exactly', async (_, value) => {
    const bodies: EventBody[] = [
      { type: 'message-received', messageId: parseMessageId(value.slice(0, 256)), parts: [], by: ana },
      text(value),
      { ...call, type: 'tool-started', input: { deep: [{ value }], [value.slice(0, 20)]: null } },
    ];
    const sent = batch(chat, 0, bodies, {
      head: { title: value, ownerId: value },
      questions: [question('q', { ownerId: value, description: value })],
    });
    await use().append(sent);
    expect(await use().events.read(chat, 0)).toEqual(sent.events);
    expect(await use().chats.head(chat)).toEqual(sent.head);
    const query = { ownerId: value, limit: 9 };
    expect((await use().chats.list(query)).items).toHaveLength(1);
    expect((await use().questions.list({ ...query, state: 'open' })).items).toEqual(sent.questions);
  });

  it('distinguishes claims that differ only in half a surrogate pair', async () => {
    await use().append(batch(chat, 0, [started('call-\ud83d')]));
    expect(await use().append(batch(chat, 1, [started('call-\ud83e')]))).toBe('appended');
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'treats %s as an id like any other',
    async (name) => {
      const named = parseChatId(name);
      expect(await use().chats.head(named)).toBeUndefined();
      const sent = batch(named, 0, [answered(name), started('__proto__')], {
        questions: [question('__proto__', { chatId: named, input: JSON.parse('{"__proto__":{"a":1}}') })],
      });
      expect(await use().append(sent)).toBe('appended');
      expect(await use().events.read(named, 0)).toEqual(sent.events);
      expect(JSON.stringify(await use().questions.read(question('__proto__').id))).toContain(
        '{"__proto__":{"a":1}}',
      );
      expect(await use().runs.stopRequested(named, run())).toBe(false);
      expect(await use().append(batch(named, 2, [started('__proto__')]))).toBe('conflict');
    },
  );
}
