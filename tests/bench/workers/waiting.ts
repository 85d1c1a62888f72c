import { join } from 'node:path';
import { sqliteStore } from 'countersign/store';
import { benchFlow, openOn } from '../contestants/countersign.ts';
import { createTill } from '../support/payment-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchProcess } from '../support/watch-process.ts';
import { offer } from '../support/worker-process.ts';

/** Chats that wait for a person while nobody is connected. Needs `--expose-gc`. */
const path = join(temporaryFolder(), 'waiting.sqlite');
const contestant = openOn(sqliteStore({ path }), createTill());
/** Another instance on the same file, as after a restart: it lists the inbox. */
const store = sqliteStore({ path });
const inbox = benchFlow(store, createTill());
const principal = { id: 'bench', name: 'Bench' };
let chats = 0;

offer({
  ...watchProcess(),

  /** Asks so many questions, each in a chat of its own; all its streams are read to their end. */
  async ask(count: number): Promise<void> {
    const end = chats + count;
    const goOn = async () => {
      while (chats < end) await contestant.chat(`waiting-${++chats}`).begin('chain');
    };
    await Promise.all(Array.from({ length: 16 }, goOn));
  },

  /** The inbox's first page, so many times. @returns milliseconds each */
  async listInbox(times: number): Promise<number[]> {
    const taken: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const start = performance.now();
      const { items } = await inbox.approvals.list({ principal, state: 'open' });
      taken.push(performance.now() - start);
      if (items.length === 0) throw new Error('The inbox is empty.');
    }
    return taken;
  },

  async close(): Promise<void> {
    await contestant.close();
    await inbox.close();
    await store.close();
  },
});
