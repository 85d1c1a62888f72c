import { errorPlace, isRecord } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';

/** Longer texts are refused: text written by a model must not push a card's buttons off the screen. */
const longestText = 2_000;

/** Marks the result of a function that threw. The error was logged. */
const failed = Symbol('failed');

/** A sentence of `describe` or `describeError`, 1 to 2,000 characters; `undefined`, and a log entry, for anything else. */
export function sentenceFrom(
  settings: FlowSettings,
  toolName: string,
  describe: () => unknown,
  name: 'describe' | 'describeError' = 'describe',
): string | undefined {
  const given = call(settings, toolName, name, describe);
  if (given === failed) return undefined;
  if (isText(given) && given.trim() !== '') return given.toWellFormed();
  warn(settings, toolName, `\`${name}\` returned ${kindOf(given)}`);
  return undefined;
}

/** The valid parts of what `summarize` returns. Invalid ones are logged: they would break clients. */
export function summaryFrom(
  settings: FlowSettings,
  toolName: string,
  summarize: () => unknown,
): { readonly summary?: string; readonly resultCount?: number } {
  const given = call(settings, toolName, 'summarize', summarize);
  if (given === failed) return {};
  const { summary, resultCount } = isRecord(given) ? given : {};
  if (!isText(summary)) warn(settings, toolName, `\`summarize\` returned ${kindOf(summary)} as its summary`);
  if (resultCount !== undefined && !isCount(resultCount)) {
    warn(settings, toolName, '`summarize` returned a `resultCount` that is not an integer of at least 0');
  }
  return {
    summary: isText(summary) ? summary.toWellFormed() : undefined,
    resultCount: isCount(resultCount) ? resultCount : undefined,
  };
}

function call({ logger }: FlowSettings, toolName: string, name: string, ask: () => unknown): unknown {
  try {
    const given = ask();
    // A promise is refused below, because it is not a string. A later rejection must not end the process.
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
  if (typeof value !== 'string') return `a value that is not a string (${typeof value})`;
  return value.length > longestText ? `a string of more than ${longestText} characters` : 'an empty string';
}

/** A text that a model or an agent wrote, on one line, and without quotation marks that would end the quotation. */
export function quotable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/["“”„‟«»]/g, "'")
    .trim();
}
