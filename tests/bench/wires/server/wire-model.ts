import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { streamOf } from '../../../../lib/testing/stream-of.ts';
import { formatTick } from '../readers/ticks.ts';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** Text that a turn begins with, in pieces of this many bytes. */
const pieceBytes = 16 * 1024;

/** A timer may fire this much before its time. Milliseconds. */
const timerMs = 1;

/** A turn that speaks in ticks. */
export type Speech = {
  /** Text before the first tick, as fast as it can be said. */
  readonly fillBytes: number;
  /** Ticks after the first one. */
  readonly ticks: number;
  readonly perSecond: number;
};

/** When the ticks were due, and when the last of them was said. Milliseconds of this machine's clock. */
export type Said = { readonly firstDueAt: number; readonly lastAt: number };

/** What a turn of {@link createWireModel} waits for. */
export type Cues = {
  readonly fill: Promise<void>;
  readonly ticks: Promise<void>;
  readonly end: Promise<void>;
};

/** Milliseconds of a clock that all processes of this machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * A model for two kinds of turns: `speak`, whose text comes by cues, and `result <bytes>`, with one call of `report`.
 *
 * It never waits for its readers: a tick that is late is followed by the next one at its own time, so that delays are
 * those of a load that does not adapt.
 */
export function createWireModel(turn: () => { speech: Speech; cues: Cues }, onSaid: (said: Said) => void) {
  async function* speak(): AsyncGenerator<LanguageModelV4StreamPart> {
    const { speech, cues } = turn();
    const text = (delta: string) => ({ type: 'text-delta' as const, id: 'text', delta });
    yield { type: 'stream-start', warnings: [] };
    yield { type: 'text-start', id: 'text' };
    await cues.fill;
    for (let left = speech.fillBytes; left > 0; left -= pieceBytes) yield text('x'.repeat(pieceBytes));
    yield text(formatTick(0));
    await cues.ticks;
    const firstDueAt = sharedNow();
    for (let tick = 1; tick <= speech.ticks; tick += 1) {
      const dueAt = firstDueAt + ((tick - 1) * 1_000) / speech.perSecond;
      for (let early = dueAt - sharedNow(); early > timerMs; early = dueAt - sharedNow()) await sleep(early);
      yield text(formatTick(tick));
    }
    onSaid({ firstDueAt, lastAt: sharedNow() });
    await cues.end;
    yield { type: 'text-end', id: 'text' };
    yield { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage };
  }

  return {
    specificationVersion: 'v4',
    provider: 'countersign.bench',
    modelId: 'wires',
    supportedUrls: {},
    async doStream({ prompt }) {
      const last = prompt.at(-1);
      const [part] = last?.role === 'user' ? last.content : [];
      const [task, bytes] = part?.type === 'text' ? part.text.split(' ') : [];
      if (task === 'speak') return { stream: streamOf(speak()) };
      return { stream: streamOf(task === 'result' ? callReport(Number(bytes)) : done) };
    },
    async doGenerate() {
      throw new Error('Everybody streams here.');
    },
  } satisfies LanguageModelV4;
}

function callReport(bytes: number): LanguageModelV4StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    {
      type: 'tool-call',
      toolCallId: crypto.randomUUID(),
      toolName: 'report',
      input: JSON.stringify({ bytes }),
    },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
  ];
}

const done: LanguageModelV4StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: 'Done.' },
  { type: 'text-end', id: 'text' },
  { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
];
