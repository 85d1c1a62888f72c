import { join } from 'node:path';
import type { KillPoint } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { countsOf } from './support/counts.ts';
import { crashRound } from './support/crash-round.ts';
import { storeRows } from './support/databases.ts';
import { clientModes } from './support/persistent-client.ts';
import { scriptedTurns } from './support/scripted-turns.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';

const count = countsOf('Crash matrix', 'servers killed', 'turns ended well');
const postgres = setUpPostgres();

const lanes = storeRows(postgres).flatMap(([store, create]) =>
  clientModes.flatMap((mode) =>
    scriptedTurns.flatMap((turn) =>
      (['before', 'after'] as const).map((when) => ({ store, mode, name: turn.name, when, turn, create })),
    ),
  ),
);

/** Every append of a turn takes a process. Further tests here kill processes that share a Postgres, over both transports. */
const representative = `SQLite SSE ${scriptedTurns[2]?.name} after`;

/** Longer than a lease: a server that starts this much later takes over at once. */
const laterMs = 20_000;

describe('Nothing acknowledged is lost, and nothing runs twice, wherever the server dies', () => {
  it.concurrent.each(
    rowsOfThisRun(
      lanes,
      ({ store, mode, name, when }) => `${store} ${mode} ${name} ${when}` === representative,
    ),
  )('$store over $mode, killed $when each append: $name', async ({ create, mode, when, turn }) => {
    const database = await create();
    const effects = join(database.folder, 'effects');
    const store = database.open();
    let starts = 0;
    const start = (kill: KillPoint) =>
      startServer({ database, effects, kill, clockAheadMs: laterMs * starts++ });
    let server: ServerProcess | undefined;
    try {
      const pointAt = (append: number) => ({ when, append, chatId: `${when}-${append}` });
      server = await start(pointAt(1));
      let append = 1;
      for (let next: ServerProcess | undefined = server; next; append += 1) {
        server = next;
        const point = pointAt(append);
        const startNext = () => start(pointAt(append + 1));
        next = await crashRound({ server, startNext, effects, store, mode, turn, point });
        count('turns ended well');
        if (next) count('servers killed');
      }
      await server.kill();
      // At least: the start of the turn, its question, the answer with the start of the call, and its end.
      expect(append).toBeGreaterThan(4);
    } finally {
      await server?.kill();
      await database.remove();
    }
  });
});
