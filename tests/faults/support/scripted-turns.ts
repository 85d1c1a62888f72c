import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import { haveEffect } from './effects.ts';

/** A turn that is the same in every process and at every attempt. */
export type ScriptedTurn = {
  readonly name: string;
  /** The user's message, by which the model recognizes the turn. */
  readonly says: string;
  /** The calls, step by step: the tool and the recipient. */
  readonly steps: readonly (readonly ScriptedCall[])[];
};

/** `resets`: its connection breaks after the effect, so the outcome is unknown by design. */
export type ScriptedCall = { readonly to: string; readonly approve: boolean; readonly resets?: true };

/** The turns of the crash matrix. */
export const scriptedTurns: readonly ScriptedTurn[] = [
  {
    name: 'chained, approved and approved',
    says: 'Pay Alice, then Bob.',
    steps: [[{ to: 'alice', approve: true }], [{ to: 'bob', approve: true }]],
  },
  {
    name: 'parallel, approved and denied',
    says: 'Pay Carol and Dave.',
    steps: [
      [
        { to: 'carol', approve: true },
        { to: 'dave', approve: false },
      ],
    ],
  },
  {
    name: 'a reset after the effect',
    says: 'Wire it to Eve.',
    steps: [[{ to: 'eve', approve: true, resets: true }]],
  },
];

/** A call that several people approve. See `voting-rules.ts`. */
export const votedTurn: ScriptedTurn = {
  name: 'approved by two people',
  says: 'Pay Grace.',
  steps: [[{ to: 'grace', approve: true }]],
};

/** The calls of a turn, in order. */
export function callsOf(turn: ScriptedTurn): readonly ScriptedCall[] {
  return turn.steps.flat();
}

/** Long enough to be written in its own append, in the middle of a step. */
const longText = 'Let me look into it. '.repeat(100);

/** The outcome of a call in one word. */
export type Told = 'done' | 'denied' | 'unknown' | 'failed';

/** The model's last text: the outcome of each call it received, in order. */
export function lastWord(told: readonly Told[]): string {
  return `Told: ${told.join(', ')}.`;
}

/** The model. It depends on the prompt alone, so a restart changes nothing. */
export function playScriptedTurn({ prompt }: LanguageModelV4CallOptions): ScriptedStep {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const said = prompt[start];
  const text = said?.role === 'user' ? said.content.find((part) => part.type === 'text')?.text : undefined;
  const turn = [...scriptedTurns, votedTurn].find(({ says }) => says === text);
  if (!turn) return [{ text: `Heard: ${text}` }];

  const since = prompt.slice(start);
  const step = turn.steps[since.filter(({ role }) => role === 'assistant').length];
  if (step) return [{ text: longText }, ...step.map(({ to, resets }) => callTo(to, resets))];
  const results = since.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return [{ text: [longText, lastWord(results.flatMap(toldOf))] }];
}

function callTo(to: string, resets: true | undefined) {
  return { call: resets ? 'wire' : 'pay', input: { to }, id: `call-${to}` };
}

type ToolMessagePart = Extract<
  LanguageModelV4CallOptions['prompt'][number],
  { role: 'tool' }
>['content'][number];

function toldOf(part: ToolMessagePart): Told[] {
  if (part.type !== 'tool-result') return [];
  const { output } = part;
  if (output.type === 'execution-denied') return ['denied'];
  if (output.type !== 'error-text') return ['done'];
  return [output.value.startsWith('outcome-unknown:') ? 'unknown' : 'failed'];
}

/** The tools of these turns. Each records its effect in a file, and then `wire` fails. */
export function scriptedTools(effectsPath: string): ToolSet {
  const inputSchema = z.object({ to: z.string() });
  const act = ({ toolCallId, context }: ToolExecutionOptions<unknown>, to: string) => {
    const { chatId } = z.object({ chatId: z.string() }).parse(context);
    haveEffect(effectsPath, { chatId, toolCallId, to });
  };
  return {
    pay: tool({
      inputSchema,
      needsApproval: true,
      execute: async ({ to }, options) => {
        act(options, to);
        return { paid: to };
      },
    }),
    wire: tool({
      inputSchema,
      needsApproval: true,
      execute: async ({ to }, options): Promise<string> => {
        act(options, to);
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
      },
    }),
  };
}
