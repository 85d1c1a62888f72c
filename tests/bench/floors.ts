import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import WebSocket from 'ws';
import { type Distribution, distributionOf } from './support/distribution.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { startWorker } from './support/worker-process.ts';

/** What nothing built on this machine can be faster than. Times in milliseconds. */
export type Floor = { readonly name: string } & Distribution;

const row = JSON.stringify({ event: 'x'.repeat(200) });

/** A bare POST, a bare socket's round trip, a bare durable transaction of each database. */
export async function floors(options: {
  readonly connectionString: string;
  readonly samples: number;
}): Promise<Floor[]> {
  const { connectionString, samples } = options;
  const server = startWorker('workers/bare-server.ts');
  const url = await server.ask<string>('open');
  const agent = new Agent({ keepAlive: true });
  const socket = new WebSocket(url.replace('http:', 'ws:'));
  await once(socket, 'open');
  const postgres = new pg.Client({ connectionString });
  await postgres.connect();
  await postgres.query('create table floor (body text not null)');
  const sqlite = new DatabaseSync(join(temporaryFolder(), 'floor.sqlite'));
  sqlite.exec(
    'pragma journal_mode=wal; pragma synchronous=full; create table floor (body text not null) strict',
  );
  const insert = sqlite.prepare('insert into floor values (?)');

  const rows = [
    await timed('HTTP POST', samples, () => post(url, agent)),
    await timed('WebSocket round trip', samples, async () => {
      const answer = once(socket, 'message');
      socket.send(row);
      await answer;
    }),
    await timed('SQLite transaction, WAL, FULL', samples, async () => {
      insert.run(row);
    }),
    await timed('Postgres commit', samples, async () => {
      await postgres.query({ name: 'floor', text: 'insert into floor values ($1)', values: [row] });
    }),
  ];
  socket.close();
  agent.destroy();
  sqlite.close();
  await postgres.query('drop table floor');
  await postgres.end();
  await server.stop();
  return rows;
}

async function post(url: string, agent: Agent): Promise<void> {
  const sent = request(url, { method: 'POST', agent }).end(row);
  const [response] = await once(sent, 'response');
  await once(response.resume(), 'end');
}

async function timed(name: string, samples: number, work: () => Promise<void>): Promise<Floor> {
  const times: number[] = [];
  const warmUp = Math.ceil(samples / 10);
  for (let sample = 0; sample < samples + warmUp; sample += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return { name, ...distributionOf(times.slice(warmUp)) };
}
