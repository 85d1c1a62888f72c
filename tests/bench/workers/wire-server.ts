import { join } from 'node:path';
import { tool } from 'ai';
import { createApprovalFlow, parseChatId, parseMessageId } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { z } from 'zod';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchProcess } from '../support/watch-process.ts';
import { offer } from '../support/worker-process.ts';
import { rowsOf } from '../wires/server/report-rows.ts';
import { serveWires } from '../wires/server/serve-wires.ts';
import { createWireModel, type Said, type Speech, sharedNow } from '../wires/server/wire-model.ts';
import type { BegunTurn } from '../wires/wires.ts';

/** Countersign on SQLite behind all of its wires, with a model that speaks by cues and a tool with a long result. */
const ownerId = 'bench';
const principal = { id: ownerId, name: 'Bench' };
let speech: Speech;
let cues = newCues();
let said = Promise.withResolvers<Said>();
let toolEndedAt = Number.NaN;

const flow = createApprovalFlow({
  store: sqliteStore({ path: join(temporaryFolder(), 'wires.sqlite') }),
  model: createWireModel(
    () => ({
      speech,
      cues: { fill: cues.fill.promise, ticks: cues.ticks.promise, end: cues.end.promise },
    }),
    (when) => said.resolve(when),
  ),
  tools: {
    report: tool({
      inputSchema: z.object({ bytes: z.number() }),
      async execute({ bytes }) {
        const rows = rowsOf(bytes);
        toolEndedAt = sharedNow();
        return rows;
      },
    }),
  },
});

function newCues() {
  const [fill, ticks, end] = [0, 0, 0].map(() => Promise.withResolvers<void>());
  if (!fill || !ticks || !end) throw new Error('There are three cues.');
  return { fill, ticks, end };
}

offer({
  ...watchProcess(),

  /** @returns its address */
  open: () => serveWires(flow, ownerId),

  /** Begins a turn that waits for its cues, and reads none of it. */
  async speak(wanted: Speech): Promise<BegunTurn> {
    speech = wanted;
    cues = newCues();
    said = Promise.withResolvers<Said>();
    const stream = await flow.chats.respond({
      chatId: parseChatId(crypto.randomUUID()),
      principal,
      trigger: 'submit-message',
      message: { id: parseMessageId(crypto.randomUUID()), parts: [{ type: 'text', text: 'speak' }] },
      via: 'bench',
    });
    const { runId, view } = stream;
    await stream.events.cancel();
    return { chatId: view.chat.id, runId: String(runId) };
  },

  fill: () => cues.fill.resolve(),
  ticks: () => cues.ticks.resolve(),
  end: () => cues.end.resolve(),

  /** @returns when the ticks were due, once all are said */
  said: () => said.promise,

  /** @returns when the tool ended last */
  toolEndedAt: () => toolEndedAt,

  /** @returns CPU of this process so far, in milliseconds */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
});
