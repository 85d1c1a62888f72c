import { type Distribution, distributionOf } from './support/distribution.ts';
import { startWorker } from './support/worker-process.ts';

/** How late the words of other streams were while one turn had a result, in milliseconds: the longest delay in each turn. */
export type ResultDelay = {
  readonly result: 'a few bytes' | 'a value of 4 MB' | 'a stream of 4 MB';
  /** How the turn was read. Over the tool events, the result is fetched afterwards. */
  readonly wire: 'UI stream' | 'tool events';
  /** What its reader received in one turn. */
  readonly bytes: number;
  /** The median minus that of a result of a few bytes on the same wire. */
  readonly added: number;
} & Distribution;

const others = 10;
const results = [
  ['a few bytes', 'small'],
  ['a value of 4 MB', 'value'],
  ['a stream of 4 MB', 'stream'],
] as const;
const wires = [
  ['UI stream', 'chat'],
  ['tool events', 'toolEvents'],
] as const;

/** Longer than any turn with a result, in words of 10 ms. */
const words = 150;

/**
 * Other chats stream a word every 10 ms while one chat has a result of 4 MB. The delay of a word is the time at which this process
 * receives it, minus the time at which it was due: work that blocks the server also delays its timers. Over SSE, on SQLite with fsync.
 *
 * @param turns for each row
 */
export async function resultDelay(turns: number): Promise<ResultDelay[]> {
  const server = startWorker('workers/result-server.ts');
  const reader = startWorker('workers/result-reader.ts');
  const url = await server.ask<string>('open');
  const rows: Omit<ResultDelay, 'added'>[] = [];
  for (const [result, tool] of results) {
    for (const [wire, read] of wires) {
      const longest: number[] = [];
      let bytes = 0;
      // Code that never ran is slower.
      for (let turn = -2; turn < turns; turn += 1) {
        const streams = Array.from({ length: others }, () => watchWords(url));
        await Promise.all(streams.map(({ begun }) => begun));
        bytes = await reader.ask<number>(read, url, crypto.randomUUID(), tool);
        const delays = await Promise.all(streams.map(({ longest: ofStream }) => ofStream));
        if (turn >= 0) longest.push(Math.max(...delays));
      }
      rows.push({ result, wire, bytes, ...distributionOf(longest) });
    }
  }
  await Promise.all([reader.stop(), server.stop()]);
  const plain = (wire: string) => rows.find((row) => row.wire === wire)?.median ?? Number.NaN;
  return rows.map((row) => ({ ...row, added: row.median - plain(row.wire) }));
}

/** One stream of words. `begun` resolves with its first words; `longest` with its longest delay after them. */
function watchWords(url: string): { readonly begun: Promise<void>; readonly longest: Promise<number> } {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  async function watch(): Promise<number> {
    const message = {
      id: crypto.randomUUID(),
      role: 'user',
      parts: [{ type: 'text', text: `words ${words}` }],
    };
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: crypto.randomUUID(), trigger: 'submit-message', message }),
    });
    if (!response.body) throw new Error(`Refused with ${response.status}.`);
    let longest = 0;
    let seen = 0;
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const now = performance.timeOrigin + performance.now();
      for (const [, due] of piece.matchAll(/"delta":"([\d.]+) "/g)) {
        seen += 1;
        // Ten runs that begin at the same time delay each other.
        if (seen < 20) continue;
        if (seen === 20) begin();
        else longest = Math.max(longest, now - Number(due));
      }
    }
    return longest;
  }
  return { begun, longest: watch() };
}
