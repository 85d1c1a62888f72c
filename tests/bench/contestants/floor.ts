import pg from 'pg';
import { createBareChats } from '../support/bare-chats.ts';
import type { Contestant, ContestantSettings } from '../support/contestant.ts';

const row = 'x'.repeat(200);

/** Not a contestant: bare model steps, and as many bare commits as a flow of ours has, ten connections for all. */
export async function openBareOnPostgres({
  connectionString,
  durableWrites = 0,
}: ContestantSettings): Promise<Contestant> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query('create table if not exists floor_flows (body text not null)');
  const chats = createBareChats();
  const respond = async (id: string, after: 'words' | 'result') => {
    for (let write = 0; write < durableWrites / 3; write += 1) {
      await pool.query({
        name: 'floor',
        text: 'insert into floor_flows values ($1)',
        values: [row],
      });
    }
    const open: string[] = [];
    for await (const part of chats.step(id, after)) {
      if (part.type === 'tool-approval-request') open.push(part.approvalId);
    }
    if (open.length === 0) chats.forget(id);
    return open;
  };
  return {
    chat: (id) => ({ begin: () => respond(id, 'words'), answer: () => respond(id, 'result') }),
    close: () => pool.end(),
  };
}
