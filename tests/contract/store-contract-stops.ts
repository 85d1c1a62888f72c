import { beforeEach, expect, it } from 'vitest';
import { type EventBody, parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import { answered, asked, batch, chat, question, run, started, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Once a stop request was acknowledged, the run starts no call and asks no question, whoever appends. */
export function stopsContract(use: UseStore): void {
  beforeEach(async () => {
    await use().append(batch(chat, 0, [text()]));
    await use().runs.requestStop(chat, run(1));
  });

  it.each<[string, EventBody]>([
    ['starts a call', started('call-1')],
    ['asks a question', asked('q')],
    ['leaves a call to the page', { type: 'run-suspended', toolCallId: parseToolCallId('call-1') }],
  ])('refuses a batch that %s, and writes nothing of it', async (_, body) => {
    const before = await use().chats.head(chat);
    const wish = { questions: [question('q')], lease: { owner: 'here', until: 9_000 } };
    expect(await use().append(batch(chat, 1, [text(), body, text()], wish))).toBe('stopped');
    expect(await use().events.read(chat, 0)).toHaveLength(1);
    expect(await use().chats.head(chat)).toEqual(before);
    expect(await use().questions.read(question('q').id)).toBeUndefined();
    expect(await use().runs.orphans(99_000)).toEqual([]);
  });

  const toolCallId = parseToolCallId('call-1');
  const modelOutput = { type: 'text' as const, value: 'x' };
  it.each<[string, EventBody]>([
    ['says something', text()],
    ['answers a question', answered('q')],
    [
      'ends a call',
      { type: 'tool-completed', toolCallId, output: 1, summary: '1', resultCount: 1, modelOutput },
    ],
    ['ends the run', { type: 'run-cancelled', reason: 'stopped' }],
  ])('accepts an append that %s', async (_, body) => {
    expect(await use().append(batch(chat, 1, [body]))).toBe('appended');
  });

  it('lets the next run start calls and ask', async () => {
    const next = batch(chat, 1, [started('call-1'), asked('q')], { run: 2 });
    expect(await use().append(next)).toBe('appended');
  });

  it('applies until the end of the run, whatever else is appended or stopped', async () => {
    await use().append(batch(chat, 1, [text()]));
    await use().runs.requestStop(chat, run(2));
    await use().runs.requestStop(chat, run(1));
    await use().runs.requestStop(chat, run(3));
    expect(await use().append(batch(chat, 2, [started('call-1')]))).toBe('stopped');
    await use().append(batch(chat, 2, [text()], { run: 2 }));
    expect(await use().append(batch(chat, 3, [asked('q')], { run: 2 }))).toBe('stopped');
    expect(await use().append(batch(chat, 3, [asked('q')], { run: 4 }))).toBe('appended');
  });

  it.each<[string, Parameters<typeof batch>[1], EventBody, Parameters<typeof batch>[3], string]>([
    ['the head', 0, started('call-1'), {}, 'conflict'],
    ['a claim', 1, started('taken'), {}, 'conflict'],
    ['a lease', 1, started('call-1'), { owner: 'there' }, 'conflict'],
  ])('is reported only after %s', async (_, back, body, wish, outcome) => {
    const lease = { owner: 'here', until: 9_000 };
    await use().append(batch(chat, 1, [started('taken')], { run: 0, lease }));
    expect(await use().append(batch(chat, 1 + back, [text(), body], wish))).toBe(outcome);
  });

  it('affects no other chat, even in the same group', async () => {
    const others = Array.from({ length: 10 }, (_, index) => parseChatId(`other-${index}`));
    for (const id of others.slice(0, 3)) await use().append(batch(id, 0, [text()]));
    const outcomes = await Promise.all([
      ...others.slice(0, 3).map((id) => use().append(batch(id, 1, [started('call-1')]))),
      use().append(batch(chat, 1, [started('call-1')])),
      ...others.slice(3).map((id) => use().append(batch(id, 0, [started('call-1')]))),
    ]);
    expect(outcomes).toEqual([...Array(3).fill('appended'), 'stopped', ...Array(7).fill('appended')]);
    expect(await use().events.read(chat, 0)).toHaveLength(1);
    for (const id of others) expect((await use().events.read(id, 0)).at(-1)?.type).toBe('tool-started');
  });

  it('ends with the chat, so a new chat with its id may start calls', async () => {
    await use().chats.erase(chat, 'ana', 2_000);
    expect(await use().append(batch(chat, 0, [text()]))).toBe('appended');
    expect(await use().append(batch(chat, 1, [started('call-1')]))).toBe('appended');
  });
}
