import { errorPlace, isRecord } from '../protocol/index.ts';
import type { FlowSettings } from './flow-settings.ts';

/** Longer texts are refused: what a model wrote must not push a card's buttons off the screen. */
const longestText = 2_000;

/** Stands for the result of a function that threw, which was logged. */
const failed = Symbol('failed');

/**
 * The sentence that a tool's `describe` gives; `undefined` when it throws, or gives anything but a text of 1 to 2,000
 * characters. Either is logged with the tool's name, and without what the function was given.
 */
export function sentenceFrom(
  settings: FlowSettings,
  toolName: string,
  describe: () => unknown,
): string | undefined {
  const given = call(settings, toolName, 'describe', describe);
  if (given === failed) return undefined;
  if (isText(given) && given.trim() !== '') return given;
  warn(settings, toolName, `\`describe\` gave ${kindOf(given)}`);
  return undefined;
}

/**
 * What a tool's `summarize` gives, as far as it is sound: a text of at most 2,000 characters, and a whole number from 0
 * on. Clients parse the count; one that they refuse would stop them. What is left out is logged.
 */
export function summaryFrom(
  settings: FlowSettings,
  toolName: string,
  summarize: () => unknown,
): { readonly summary?: string; readonly resultCount?: number } {
  const given = call(settings, toolName, 'summarize', summarize);
  if (given === failed) return {};
  const { summary, resultCount } = isRecord(given) ? given : {};
  if (!isText(summary)) warn(settings, toolName, `\`summarize\` gave ${kindOf(summary)} for a summary`);
  if (resultCount !== undefined && !isCount(resultCount)) {
    warn(settings, toolName, '`summarize` gave a `resultCount` that is no whole number from 0 on');
  }
  return { ...(isText(summary) ? { summary } : {}), ...(isCount(resultCount) ? { resultCount } : {}) };
}

function call({ logger }: FlowSettings, toolName: string, name: string, ask: () => unknown): unknown {
  try {
    const given = ask();
    // Refused below, since a promise is no text; one that rejects later must not end the process.
    if (given instanceof Promise) given.catch(() => {});
    return given;
  } catch (error) {
    const facts = { toolName, error: errorPlace(error) };
    logger?.error(`\`${name}\` of a tool failed. The default is shown.`, facts);
    return failed;
  }
}

function warn({ logger }: FlowSettings, toolName: string, what: string): void {
  logger?.error(`${what}. The default is shown.`, { toolName });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestText;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (typeof value !== 'string') return `no text (${typeof value})`;
  return value.length > longestText ? `a text of more than ${longestText} characters` : 'an empty text';
}
