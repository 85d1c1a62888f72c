import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { z } from 'zod';

/** A place in the turn: behind so many pieces of the text of a step (`0.7`), or during a call (`look`). */
export type Place = string;

const pieces = 15;
const steps = [0, 1, 2] as const;
const calls = ['look', 'pay'] as const;

/** All places at which the process can be stopped. */
export const places: readonly Place[] = steps.flatMap((step) => [
  ...Array.from({ length: pieces + 1 }, (_, count) => `${step}.${count}`),
  ...calls.slice(step, step + 1),
]);

/** The places of `npm test`: within, before and behind the text of a step, and during a call. */
export const firstPlaces: readonly Place[] = ['0.7', 'look', '1.0', '2.15'];

/** The message of a turn that stops at a place. */
export const messageFor = (place: Place): string => `Stop at ${place}.`;

function textOf(step: number): string[] {
  return Array.from({ length: pieces }, (_, piece) => `w${step}-${piece} `);
}

/** The text of the whole turn. */
export const wholeText = steps.flatMap(textOf).join('');

/** The text that was written when the process stops at a place. */
export function textBefore(place: Place): string {
  const call = (calls as readonly string[]).indexOf(place);
  const [step = 0, count = 0] = call === -1 ? place.split('.').map(Number) : [call, pieces];
  return [...steps.slice(0, step).flatMap(textOf), ...textOf(step).slice(0, count)].join('');
}

/**
 * The model. It depends on the prompt alone, so a restart changes nothing.
 *
 * @param stopsAt the place at which this process stops
 * @param stop never resolves
 */
export function playTurn(
  { prompt }: LanguageModelV4CallOptions,
  stopsAt: Place,
  stop: () => Promise<never>,
): ScriptedStep {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const step = prompt.slice(start).filter(({ role }) => role === 'assistant').length;
  const said = JSON.stringify(prompt[start]);
  const text = textOf(step);
  const [stopStep, count = 0] = stopsAt.split('.').map(Number);
  const stops = said.includes(messageFor(stopsAt)) && stopStep === step;
  const prose = stops
    ? [...textPart(text.slice(0, count)), { wait: stop }, ...textPart(text.slice(count))]
    : textPart(text);
  const name = calls[step];
  const place = /Stop at ([\w.]+)\./.exec(said)?.[1] ?? '';
  return [...prose, ...(name ? [{ call: name, id: `call-${name}`, input: { place } }] : [])];
}

/** An empty text would be a block without a word. */
function textPart(text: readonly string[]) {
  return text.length === 0 ? [] : [{ text }];
}

/** The tools of the turn. Both run again after a restart. */
export function toolsOfTurn(stopsAt: Place, stop: () => Promise<never>): ToolSet {
  const inputSchema = z.object({ place: z.string() });
  const run =
    (name: string) =>
    async ({ place }: { place: string }) =>
      place === name && stopsAt === name ? stop() : `${name} done`;
  return {
    look: tool({ inputSchema, execute: run('look') }),
    pay: tool({ inputSchema, needsApproval: true, execute: run('pay') }),
  };
}
