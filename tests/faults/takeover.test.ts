import { join } from 'node:path';
import { type ToolSet, tool, type UIMessage, type UIMessageChunk } from 'ai';
import { collect } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { barrier } from '../support/barrier.ts';
import { messageOf } from '../support/client-message.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { setUpOwnPostgres } from '../support/postgres/postgres.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { effectsIn } from './support/effects.ts';
import { actSlowly, thinkAloud } from './support/lingering.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';
import { twoInstances } from './support/two-instances.ts';

const count = countsOf(
  'Takeover',
  'owners gone',
  'runs taken over',
  'milliseconds after a death',
  'milliseconds after an end',
);
const postgres = setUpOwnPostgres();

/** Two server processes on one Postgres. The owner's run never ends by itself. */
async function twoServers() {
  const [, create] = storeRows(postgres)[1] ?? [];
  if (!create) throw new Error('There is no row for Postgres.');
  const database = await create();
  const effects = join(database.folder, 'effects');
  const owner = await startServer({ database, effects, lingers: true });
  const other = await startServer({ database, effects });
  onTestFinished(async () => {
    await Promise.all([owner.kill(), other.kill()]);
    await database.remove();
  });
  return { owner, other, effects };
}

type Follower = { readonly whole: Promise<UIMessageChunk[]>; readonly chatId: string; readonly url: string };

/** Starts a run on one server, and follows it on the other from the first chunk. */
async function followElsewhere(
  connect: ConnectRaw,
  {
    owner,
    other,
    says,
    chatId,
  }: { owner: ServerProcess; other: ServerProcess; says: string; chatId: string },
): Promise<Follower> {
  const asking = await connect(owner.url);
  const { say, userMessage } = rawChat(asking, chatId);
  if (says === actSlowly) {
    const approvalId = questionIn(await say(says));
    const answering = await asking.open({ id: chatId, answers: [{ approvalId, approved: true }] });
    await answering.next();
  } else {
    const response = await asking.open({ id: chatId, message: userMessage(says) });
    await response.next();
  }
  const response = await (await connect(other.url)).resume(chatId);
  if (!response) throw new Error('The run is not visible on the other server.');
  const first = await response.next();
  const rest = collect(response);
  const whole = rest.then((chunks) => (first.done ? chunks : [first.value, ...chunks]));
  return { whole, chatId, url: other.url };
}

/** The stored chat, which must equal what its follower saw. */
async function endOf({ whole, chatId, url }: Follower): Promise<UIMessage> {
  const message = await messageOf(await whole);
  const stored = await (await fetch(`${url}/api/chat/${chatId}`)).json();
  expect(stored.run.status).toBe('idle');
  expect(stored.messages.at(-1)).toEqual(message);
  return message;
}

describe('Another process takes over, and its readers see the end', () => {
  it('automatically, if the owner is killed during text and during a tool call', async () => {
    const { owner, other, effects } = await twoServers();
    const follow = (connect: ConnectRaw, says: string, chatId: string) =>
      followElsewhere(connect, { owner, other, says, chatId });
    const talks = await Promise.all(
      modes.map(([name, connect]) => follow(connect, thinkAloud, `text-${name}`)),
    );
    const deeds = await Promise.all(
      modes.map(([name, connect]) => follow(connect, actSlowly, `tool-${name}`)),
    );
    for (const { chatId } of deeds) await expect.poll(() => effectsIn(effects, chatId)).toHaveLength(1);

    await owner.kill();
    const diedAt = performance.now();
    for (const talk of talks) {
      const { parts } = await endOf(talk);
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      expect(texts).toEqual(['Hm. '.repeat(600), 'That is it.']);
    }
    for (const deed of deeds) {
      const { parts } = await endOf(deed);
      const errorText = expect.stringMatching(/^outcome-unknown:/);
      expect(parts).toContainEqual(
        expect.objectContaining({ type: 'tool-linger', state: 'output-error', errorText }),
      );
      expect(parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'That was it.' }));
      expect(effectsIn(effects, deed.chatId)).toHaveLength(1);
    }
    const ms = Math.round(performance.now() - diedAt);
    count('milliseconds after a death', ms);
    count('owners gone');
    count('runs taken over', talks.length + deeds.length);
  });

  it('automatically, if the owner is shut down', async () => {
    const { owner, other } = await twoServers();
    const follow = (connect: ConnectRaw, chatId: string) =>
      followElsewhere(connect, { owner, other, says: thinkAloud, chatId });
    const talks = await Promise.all(modes.map(([name, connect]) => follow(connect, `text-${name}`)));

    await owner.end();
    const leftAt = performance.now();
    for (const talk of talks) {
      const { parts } = await endOf(talk);
      expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'That is it.' });
    }
    count('milliseconds after an end', Math.round(performance.now() - leftAt));
    count('owners gone');
    count('runs taken over', talks.length);
  });
});

describe('Postgres restarts during a run', () => {
  it('and the run ends normally on the same instance, and its tool ran once', async () => {
    const [, create] = storeRows(postgres)[1] ?? [];
    if (!create) throw new Error('There is no row for Postgres.');
    const database = await create();
    const started = barrier();
    const gate = barrier();
    let ran = 0;
    const pay = tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async () => {
        ran += 1;
        started.lift();
        await gate.wait;
        return 'paid';
      },
    });
    const logger = { warn: () => {}, error: () => {} };
    const instances = twoInstances(database, { tools: { pay } as ToolSet, logger });
    const [asking, following] = instances.flows;
    const chat = await instances.ask('restart');
    const answered = chat.respond(asking, true);
    await started.wait;
    const followed = chat.rests(following);

    await postgres().halt();
    gate.lift();
    await postgres().start();
    expect(await answered).toBe('served');
    await followed;
    const [seen, other] = await Promise.all(instances.flows.map((flow) => chat.seenBy(flow)));
    expect(seen).toEqual(other);
    expect(seen?.chat.messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-pay', state: 'output-available', output: 'paid' }),
    );
    expect(ran).toBe(1);
    await instances.close();
    await database.remove();
  });
});
