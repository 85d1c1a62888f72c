import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';

type Metadata = { providerMetadata?: SharedV4ProviderMetadata };
type ToolInput = { input?: unknown; id?: string };

/**
 * One action of a scripted model. A list of strings is one block of text, sent in that many deltas.
 *
 * - `call`: calls a function tool; `rawInput` sends any text as its input, also invalid JSON
 * - `writes`: text of the arguments of a function tool, in that many deltas; another `writes` with this id
 *   continues it, and a `call` with this id makes the call
 * - `providerCall`: a tool that the provider runs itself; with `result` or `failure` it runs immediately
 * - `providerQuestion`: a provider's tool that waits for an approval; `approvalId` is the provider's own id
 * - `providerResult`: the result of an earlier provider call, named by its id
 * - `wait`: sends nothing more until the promise settles (a function is called when its turn comes and returns the
 *   promise); a rejection fails the stream
 * - `delayMs`: sends nothing more until that time has passed on the model's clock
 * - `error`: an error part in the stream; `reject`: the request itself fails, and nothing is streamed
 * - `finish`: overrides the finish reason (`raw`: as the provider reports it), or (`'never'`) ends the stream without one, like a broken connection
 */
export type ScriptedPart =
  | ({ text: string | readonly string[] } & Metadata)
  | ({ reasoning: string | readonly string[] } & Metadata)
  | ({ call: string } & ToolInput & Metadata)
  | ({ call: string; rawInput: string; id?: string } & Metadata)
  | { writes: string; id: string; input: string | readonly string[] }
  | { source: { url: string; title?: string; id?: string } }
  | { file: { mediaType: string; base64: string } }
  | ({ providerCall: string; result?: NonNullable<JSONValue>; failure?: NonNullable<JSONValue> } & ToolInput &
      Metadata)
  | ({ providerQuestion: string; approvalId?: string } & ToolInput & Metadata)
  | { providerResult: string; tool: string; result: NonNullable<JSONValue>; failed?: boolean }
  | { wait: Promise<unknown> | (() => Promise<unknown>) }
  | { delayMs: number }
  | { error: unknown }
  | { reject: Error }
  | {
      finish: LanguageModelV4FinishReason['unified'] | 'never';
      raw?: string;
      usage?: Partial<ScriptedUsage>;
    };

/** Tokens of one model call. */
export type ScriptedUsage = {
  inputTokens: number;
  outputTokens: number;
  /** Parts of the counts above. Default 0. */
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
};

/** What a model does in one call: a list of parts. An empty list produces no output. */
export type ScriptedStep = readonly ScriptedPart[];

/**
 * A model's script: a list of steps, used in order, or a function of the call's options. `stepNumber` counts the calls
 * of this model from 0.
 */
export type Script =
  | readonly ScriptedStep[]
  | ((options: LanguageModelV4CallOptions, stepNumber: number) => ScriptedStep | Promise<ScriptedStep>);

/** The step for a call of the model. @throws Error when the script has no more steps */
export async function stepFor(
  script: Script,
  options: LanguageModelV4CallOptions,
  stepNumber: number,
): Promise<ScriptedStep> {
  if (typeof script === 'function') return script(options, stepNumber);
  const step = script[stepNumber];
  if (step) return step;
  throw new Error(
    `The script has ${script.length} steps, but the model was called ${stepNumber + 1} times. ` +
      'Add a step, or find out why the model is called again.',
  );
}

/** How a step ends: as its `finish` part says, or as a real provider would end after such parts. */
export function endOf(step: ScriptedStep): {
  finishReason: LanguageModelV4FinishReason['unified'] | 'never';
  raw: string;
  usage: LanguageModelV4Usage;
} {
  let finishReason: LanguageModelV4FinishReason['unified'] | 'never' = 'stop';
  let usage: ScriptedUsage = { inputTokens: 10, outputTokens: 5 };
  let raw: string | undefined;
  if (step.some((part) => 'call' in part)) finishReason = 'tool-calls';
  if (step.some((part) => 'error' in part)) finishReason = 'error';
  for (const part of step) {
    if (!('finish' in part)) continue;
    finishReason = part.finish;
    raw = part.raw;
    usage = { ...usage, ...part.usage };
  }
  const { cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return {
    finishReason,
    raw: raw ?? finishReason,
    usage: {
      inputTokens: {
        total: usage.inputTokens,
        noCache: usage.inputTokens - cachedInputTokens,
        cacheRead: cachedInputTokens,
        cacheWrite: cacheWriteTokens,
      },
      outputTokens: {
        total: usage.outputTokens,
        text: usage.outputTokens - reasoningTokens,
        reasoning: reasoningTokens,
      },
    },
  };
}
