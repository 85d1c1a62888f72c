import { median } from '../support/distribution.ts';
import { inTurns } from '../support/in-turns.ts';
import { ratiosTo, type Spread } from '../support/spread.ts';
import { closeWires, type OpenWire, openWires } from './open-wires.ts';
import { get, type Received, sends } from './send.ts';
import { lastRow } from './server/report-rows.ts';
import { sharedNow } from './server/wire-model.ts';

/** A tool's result of some megabytes over one wire. Medians of the rounds. */
export type LargeResult = {
  readonly wire: string;
  /** Of the result as JSON. */
  readonly megabytes: number;
  /** How it is sent: within the stream, or as an address, from which it is then fetched. */
  readonly sent: 'in the stream' | 'by reference';
  /** From the end of the tool to the last byte at the reader, in milliseconds; with the fetch, if there is one. */
  readonly toLastByte: number;
  readonly timeRatio: Spread;
  /** CPU of the server for the turn, and the fetch, in milliseconds. */
  readonly cpuMs: number;
  readonly cpuRatio: Spread;
  /** At the reader, the fetched result included. */
  readonly bytes: number;
  /** The most that the server's memory grew by, garbage included, in bytes. */
  readonly memoryPeak: number;
  readonly memoryRatio: Spread;
};

type Round = Pick<LargeResult, 'sent' | 'toLastByte' | 'cpuMs' | 'bytes' | 'memoryPeak'>;

/**
 * One turn with one call, whose result has many rows. A wire that sends a summary is followed by the fetch of the whole result, as in
 * a page whose reader opens it.
 *
 * @throws Error if the last row of the result does not arrive
 */
export async function largeResults(options: {
  readonly megabytes: readonly number[];
  readonly rounds: number;
}): Promise<LargeResult[]> {
  const rows: LargeResult[] = [];
  const wires = await openWires<Round>();
  for (const megabytes of options.megabytes) {
    for (const wire of inTurns(wires, options.rounds + 1)) wire.rounds.push(await round(wire, megabytes));
    const base = wires[0]?.rounds.slice(1) ?? [];
    rows.push(...wires.map((wire) => rowOf(wire, base, megabytes)));
    for (const wire of wires) wire.rounds.length = 0;
  }
  await closeWires(wires);
  return rows;
}

async function round({ name, server, url }: OpenWire<Round>, megabytes: number): Promise<Round> {
  await server.ask('watchHeap');
  const cpuBefore = await server.ask<number>('cpu');
  const stream = await sends[name](url, `result ${megabytes * 1_048_576}`);
  const isWhole = stream.bytes.includes(lastRow);
  const begunAt = sharedNow();
  const fetched = isWhole ? undefined : await get(`${url}${addressIn(stream)}`);
  const cpuMs = (await server.ask<number>('cpu')) - cpuBefore;
  const memoryPeak = await server.ask<number>('heapPeak');
  if (fetched && !fetched.bytes.includes(lastRow)) throw new Error(`${name}: the result did not arrive.`);
  const toolEndedAt = await server.ask<number>('toolEndedAt');
  return {
    sent: fetched ? 'by reference' : 'in the stream',
    toLastByte: stream.lastAt - toolEndedAt + (fetched ? fetched.lastAt - begunAt : 0),
    cpuMs,
    bytes: stream.bytes.length + (fetched?.bytes.length ?? 0),
    memoryPeak,
  };
}

/** Where the result is: as the stream says, or at the usual path. */
function addressIn({ bytes }: Received): string {
  const text = String(bytes);
  const [, address] = /"outputRef":"([^"]+)"/.exec(text) ?? [];
  if (address !== undefined) return `/api/dialects/tool-events/${address}`;
  const [, toolCallId] = /"tool_call_id":"([^"]+)"/.exec(text) ?? [];
  const [, chatId] = /"(?:conversation_id|chat_id)":"([^"]+)"/.exec(text) ?? [];
  return `/api/chat/${chatId}/tool-results/${toolCallId}`;
}

function rowOf(
  { name, rounds: [, ...rounds] }: OpenWire<Round>,
  base: readonly Round[],
  megabytes: number,
): LargeResult {
  const time = ({ toLastByte }: Round) => toLastByte;
  const cpu = ({ cpuMs }: Round) => cpuMs;
  const memory = ({ memoryPeak }: Round) => memoryPeak;
  return {
    ...{ wire: name, megabytes },
    sent: rounds[0]?.sent ?? 'in the stream',
    toLastByte: median(rounds.map(time)),
    timeRatio: ratiosTo(base.map(time), rounds.map(time)),
    cpuMs: median(rounds.map(cpu)),
    cpuRatio: ratiosTo(base.map(cpu), rounds.map(cpu)),
    bytes: median(rounds.map(({ bytes }) => bytes)),
    memoryPeak: median(rounds.map(memory)),
    memoryRatio: ratiosTo(base.map(memory), rounds.map(memory)),
  };
}
