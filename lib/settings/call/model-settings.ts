import type { streamText } from 'ai';

/** Settings of the SDK for each call of a model. A flow, a subagent and `prepareCall` take them under its own names. */
export const modelSettings = [
  'model',
  'instructions',
  'toolChoice',
  'activeTools',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'maxRetries',
  'headers',
  'providerOptions',
  'reasoning',
] as const satisfies readonly (keyof Parameters<typeof streamText>[0])[];

/** The name of one of `modelSettings`. */
export type ModelSetting = (typeof modelSettings)[number];
