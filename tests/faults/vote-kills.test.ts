import { join } from 'node:path';
import type { KillPoint } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { checkLog } from '../support/check-log.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { userHeader } from '../support/serve-fixture.ts';
import { countsOf } from './support/counts.ts';
import { type Database, storeRows } from './support/databases.ts';
import { effectsIn } from './support/effects.ts';
import { votedTurn } from './support/scripted-turns.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';

const count = countsOf('Vote kills', 'servers killed', 'questions settled');
const postgres = setUpPostgres();
/** Longer than a lease: a server that starts this much later takes over immediately. */
const laterMs = 20_000;
const chatId = parseChatId('chat');

const events = ['answer-recorded', 'plugin-event', 'approval-answered'] as const;
const rows = storeRows(postgres).flatMap(([store, create]) =>
  events.flatMap((event) =>
    (['before', 'after'] as const).map((when) => ({ store, create, kill: { when, event, chatId } })),
  ),
);
const isRepresentative = ({ store, kill: { when, event } }: (typeof rows)[number]) =>
  store === 'SQLite' && (event === 'approval-answered' ? when === 'before' : when === 'after');

/** A server that is killed at a point, and then its successor. A request without a response is sent again. */
async function served(database: Database, kill: KillPoint) {
  const effects = join(database.folder, 'effects');
  let server: ServerProcess = await startServer({ database, effects, votes: true, kill });
  let kills = 0;
  onTestFinished(() => server.kill());

  async function succeed(): Promise<void> {
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    kills += 1;
    server = await startServer({ database, effects, votes: true, clockAheadMs: kills * laterMs });
  }

  async function send(user: string, method: string, path: string, body?: object) {
    const headers = { 'content-type': 'application/json', [userHeader]: user };
    const given = body && { body: JSON.stringify(body) };
    for (;;) {
      try {
        const response = await fetch(`${server.url}/api${path}`, { method, headers, ...given });
        return { status: response.status, text: await response.text() };
      } catch {
        await succeed();
      }
    }
  }

  return {
    ...{ effects, send, kills: () => kills },
    /** Lets the server end by itself if its kill point comes without a request. */
    async died(): Promise<void> {
      if (kills === 0) await succeed();
    },
  };
}

describe('A process that is killed while several people decide', () => {
  it.each(rowsOfThisRun(rows, isRepresentative))(
    '$kill.when $kill.event, on $store: no vote is lost or doubled, and the call runs at most once',
    async ({ create, kill }) => {
      const database = await create();
      onTestFinished(() => database.remove());
      const store = database.open();
      const { send, died, kills, effects } = await served(database, kill);
      const message = { id: 'm-1', role: 'user', parts: [{ type: 'text', text: votedTurn.says }] };
      const said = await send('ada', 'POST', '/chat', { id: chatId, message, trigger: 'submit-message' });
      const [, id = ''] = /"approvalId":"([^"]+)"/.exec(said.text) ?? [];
      const approvalId = parseApprovalId(id);
      const vote = (user: string) => send(user, 'POST', `/approvals/${id}`, { approved: true });
      const castNow = async () => (await store.questions.read(approvalId))?.answers ?? [];

      const until = new Date(Date.now() + 3_600_000).toISOString();
      expect((await send('ben', 'POST', '/delegations', { to: 'cleo', until })).status).toBe(201);
      expect((await vote('cleo')).status).toBe(200);
      const byCleo = { approved: true, by: { id: 'cleo' }, onBehalfOf: { id: 'ben' } };
      expect(await castNow()).toMatchObject([byCleo]);

      if (kill.event === 'plugin-event') await died();
      // Her first request may have been taken by the server that died.
      const stateNow = async () => {
        await vote('eve');
        return (await store.questions.read(approvalId))?.state;
      };
      await expect.poll(stateNow, { timeout: 30_000 }).toBe('approved');
      expect((await vote('eve')).status).toBe(409);
      expect(await store.questions.read(approvalId)).toMatchObject({
        state: 'approved',
        answer: { by: { id: 'eve' } },
      });

      const runNow = async () => JSON.parse((await send('ada', 'GET', `/chat/${chatId}`)).text).run;
      await expect.poll(runNow, { timeout: 30_000 }).toEqual({ status: 'idle' });
      const log = await store.events.read(chatId, 0);
      expect(checkLog(log)).toEqual([]);
      const of = (type: string) => log.filter((event) => event.type === type);
      expect(of('answer-recorded')).toMatchObject([byCleo]);
      expect(of('approval-answered')).toMatchObject([{ approved: true, by: { id: 'eve' } }]);
      expect(of('plugin-event')).toHaveLength(1);
      expect(of('tool-started')).toHaveLength(1);
      const ran = effectsIn(effects, chatId);
      // A call whose start was written and whose process then died is unknown, and is not made again.
      expect(ran).toHaveLength(of('tool-completed').length);
      expect(of('tool-completed').length + of('tool-failed').length).toBe(1);
      expect(kills()).toBe(1);
      count('servers killed');
      count('questions settled');
    },
  );
});
