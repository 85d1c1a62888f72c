import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { z } from 'zod';
import { haveEffect } from './effects.ts';

/** The prompt after which the model never finishes, in a process that lingers. */
export const thinkAloud = 'Think aloud.';
/** The same for a tool, which has its effect first. */
export const actSlowly = 'Act slowly.';
/** The prompt after which the model writes sixteen million characters. */
export const speakAtLength = 'Speak at length.';

const { promise: never } = Promise.withResolvers<never>();

/** The step for one of these prompts; `undefined` for any other. */
export function lingeringStep(
  { prompt }: LanguageModelV4CallOptions,
  lingers: boolean,
): ScriptedStep | undefined {
  const start = prompt.findLastIndex(({ role }) => role === 'user');
  const said = JSON.stringify(prompt[start]);
  if (said.includes(thinkAloud)) {
    return [{ text: 'Hm. '.repeat(600) }, ...(lingers ? [{ wait: never }] : []), { text: 'That is it.' }];
  }
  if (said.includes(speakAtLength))
    return [{ text: Array.from({ length: 800 }, () => 'blah '.repeat(4_000)) }];
  if (!said.includes(actSlowly)) return undefined;
  return start === prompt.length - 1 ? [{ call: 'linger', id: 'call-linger' }] : [{ text: 'That was it.' }];
}

/** A gated tool that has its effect and then may never return. */
export function lingeringTools(effectsPath: string, lingers: boolean): ToolSet {
  return {
    linger: tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async (_, { toolCallId, context }) => {
        const { chatId } = z.object({ chatId: z.string() }).parse(context);
        haveEffect(effectsPath, { chatId, toolCallId, to: 'nobody' });
        return lingers ? never : 'done';
      },
    }),
  };
}
