import type { Contestant, ContestantRow, Durable, FlowRate, OpenContestant } from '../support/contestant.ts';
import { tryCorrectness } from '../support/correctness.ts';
import { createTill } from '../support/payment-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** One contestant, its database and nobody else. */
const till = createTill();
let contestant: Contestant;
let isFloor = false;
let chats = 0;

offer({
  async open(row: ContestantRow, durable: Durable, connectionString?: string) {
    const url = new URL(`../${row.module}`, import.meta.url);
    const module: Readonly<Record<string, OpenContestant>> = await import(url.href);
    const open = module[row.open];
    if (!open) throw new Error(`${row.module} exports no ${row.open}.`);
    contestant = await open({ folder: temporaryFolder(), connectionString, till, durable });
    isFloor = row.isFloor === true;
  },

  /** Whole flows of two answers each, so many at a time. */
  async flows(concurrency: number, ms: number): Promise<FlowRate> {
    const start = performance.now();
    const before = process.cpuUsage();
    let done = 0;
    const goOn = async () => {
      while (performance.now() - start < ms) {
        await wholeFlow(`flow-${++chats}`);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, goOn));
    const { user, system } = process.cpuUsage(before);
    return {
      perSecond: (done * 1_000) / (performance.now() - start),
      cpuMsEach: (user + system) / 1_000 / done,
    };
  },

  correctness: (trials: number) => tryCorrectness({ chat: (id) => contestant.chat(id), till, trials }),

  close: () => contestant.close(),
});

async function wholeFlow(id: string): Promise<void> {
  const chat = contestant.chat(id);
  let answers = 0;
  for (let [question] = await chat.begin('chain'); question; [question] = await chat.answer(question)) {
    answers += 1;
  }
  if (answers !== 2 || (!isFloor && till.timesPaid(id, 2) !== 1))
    throw new Error(`Flow ${id} went another way.`);
}
