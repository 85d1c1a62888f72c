import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { FlowEvent } from '../../../../lib/protocol/index.ts';

const log = z.array(z.looseObject({ type: z.string(), seq: z.number() }));

/**
 * A recorded log, turn by turn: calls that succeed, find nothing, are retried, fail, do not fit or do not exist,
 * preliminary results, an approval with edited arguments, a denial, a stopped question, and a model that fails. The
 * card numbers in it are secret.
 */
export function recordedTurns(): FlowEvent[][] {
  const text = readFileSync(new URL('../recorded/turns-log.json', import.meta.url), 'utf8');
  const events = log.parse(JSON.parse(text)) as unknown as FlowEvent[];
  return events.reduce<FlowEvent[][]>((turns, event) => {
    if (event.type === 'message-received') turns.push([]);
    turns.at(-1)?.push(event);
    return turns;
  }, []);
}

/** Frames as a golden file has them: one a line, turns apart. */
export function goldenText(turns: readonly (readonly unknown[])[]): string {
  return `${turns.map((frames) => frames.map((frame) => JSON.stringify(frame)).join('\n')).join('\n\n')}\n`;
}
