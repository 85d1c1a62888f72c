import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { demoModel } from './demo-model.ts';

/** The variables that select the model. @source H-Configuration */
export type ModelEnvironment = Readonly<Record<string, string | undefined>> & {
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL?: string;
  readonly OPENAI_MODEL?: string;
  readonly COUNTERSIGN_DEMO_DELAY_MS?: string;
};

const defaultModel = 'gpt-5.4-mini';
const defaultDelayMs = 20;

function delayIn(value: string | undefined): number {
  if (!value?.trim()) return defaultDelayMs;
  const delayMs = Number(value);
  if (Number.isFinite(delayMs) && delayMs >= 0) return delayMs;
  throw new Error(
    `COUNTERSIGN_DEMO_DELAY_MS is "${value}". It must be a number of milliseconds of at least 0.`,
  );
}

/**
 * The model of the reference app: OpenAI's Responses API if there is a key, otherwise the scripted demo model. An
 * empty variable counts as absent.
 *
 * @throws Error when `COUNTERSIGN_DEMO_DELAY_MS` is not a number of at least 0
 */
export function chooseModel(environment: ModelEnvironment): LanguageModelV4 {
  const apiKey = environment.OPENAI_API_KEY?.trim();
  if (!apiKey) return demoModel({ delayMs: delayIn(environment.COUNTERSIGN_DEMO_DELAY_MS) });
  const baseURL = environment.OPENAI_BASE_URL?.trim() || undefined;
  return createOpenAI({ apiKey, baseURL }).responses(environment.OPENAI_MODEL?.trim() || defaultModel);
}
