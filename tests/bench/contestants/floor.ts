import pg from 'pg';
import { createBareChats } from '../support/bare-chats.ts';
import type { Contestant, ContestantSettings } from '../support/contestant.ts';

/** Not a contestant: bare model steps, and as many bare commits of as many bytes as a flow of ours has, ten connections. */
export async function openBareOnPostgres({
  connectionString,
  durable = { writes: 0, bytesEach: 0 },
}: ContestantSettings): Promise<Contestant> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query('create table if not exists floor_flows (body text not null)');
  const chats = createBareChats();
  const row = 'x'.repeat(durable.bytesEach);
  const write = () =>
    pool.query({ name: 'floor', text: 'insert into floor_flows values ($1)', values: [row] });
  const respond = async (id: string, after: 'words' | 'result') => {
    await write();
    const open: string[] = [];
    for await (const part of chats.step(id, after)) {
      if (part.type === 'tool-approval-request') open.push(part.approvalId);
    }
    for (let written = 1; written < durable.writes; written += 1) await write();
    if (open.length === 0) chats.forget(id);
    return open;
  };
  return {
    chat: (id) => ({ begin: () => respond(id, 'words'), answer: () => respond(id, 'result') }),
    close: () => pool.end(),
  };
}
