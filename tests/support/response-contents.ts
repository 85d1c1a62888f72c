import type { UIMessageChunk } from 'ai';
import { checkResponseTiming, type TimingOptions } from 'countersign/testing';
import { expect } from 'vitest';
import type { Exchange } from './record-exchanges.ts';

/**
 * The contents of responses, one line per part, in order. A call is written as its tool with its arguments, or
 * as its id if none of these responses shows it.
 *
 * | line | meaning |
 * |---|---|
 * | `approved`, `denied`, `withdrawn` | the outcome of a question: the answer that the response continues |
 * | `asks pay(alice, 30)` | a call, and the question about it |
 * | `hands over locate()` | a call for the client to execute |
 * | `text …`, `reasoning …` | one block |
 * | `shows pay(alice, 30)` | a call that was not shown before, directly before its outcome |
 * | `pay(alice, 30) gave {…}`, `… failed: …`, `… denied` | an outcome |
 * | `step` | the start of a further step |
 * | `error: …`, `abort: …` | the end of a response that does not finish |
 *
 * Drafts and reports of a call's state changes are transient, and omitted.
 */
export async function contentsOf(exchanges: readonly Exchange[]): Promise<string[][]> {
  const responses = await responsesOf(exchanges);
  const labels = labelsOf(responses.flat());
  return responses.map((chunks) => contentOf(chunks, labels));
}

/**
 * Compares all parts of the responses of one turn with the lines of {@link contentsOf}, and checks the turn against
 * the response timing rules.
 *
 * @param exchanges all responses to the turn's requests
 * @param options `finished` is true by default: the last response must be the final one
 */
export async function expectResponses(
  exchanges: readonly Exchange[],
  expected: readonly (readonly string[])[],
  options: TimingOptions = {},
): Promise<void> {
  expect(await contentsOf(exchanges)).toEqual(expected);
  const responses = await responsesOf(exchanges);
  expect(new Set(responses.map(messageIdOf)).size).toBe(1);
  expect(checkResponseTiming(responses, { finished: true, ...options })).toEqual([]);
}

function responsesOf(exchanges: readonly Exchange[]): Promise<UIMessageChunk[][]> {
  return Promise.all(exchanges.map(({ chunks }) => chunks));
}

function messageIdOf(chunks: readonly UIMessageChunk[]): string | undefined {
  return chunks.flatMap((chunk) => (chunk.type === 'start' ? [chunk.messageId] : []))[0];
}

/** Labels each call with its tool and its arguments. */
function labelsOf(chunks: readonly UIMessageChunk[]): ReadonlyMap<string, string> {
  return new Map(
    chunks.flatMap((chunk): [string, string][] => {
      if (chunk.type !== 'tool-input-available' && chunk.type !== 'tool-input-error') return [];
      const values = Object.values(chunk.input as object).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      );
      return [[chunk.toolCallId, `${chunk.toolName}(${values.join(', ')})`]];
    }),
  );
}

function contentOf(chunks: readonly UIMessageChunk[], labels: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  const blocks = new Map<string, string>();
  /** A call that was shown and has neither a question nor an outcome yet. */
  let shown: string | undefined;
  let isStepped = false;

  for (const chunk of chunks) {
    if ('transient' in chunk && chunk.transient) continue;
    const label = 'toolCallId' in chunk ? (labels.get(chunk.toolCallId) ?? chunk.toolCallId) : '';
    const isAsked = chunk.type === 'tool-approval-request' && !chunk.isAutomatic;
    if (shown !== undefined && !(isAsked && shown === label)) {
      lines.push(`${chunk.type === 'finish-step' ? 'hands over' : 'shows'} ${shown}`);
      shown = undefined;
    }
    switch (chunk.type) {
      case 'start':
      case 'finish-step':
      case 'finish':
      case 'tool-input-start':
      case 'tool-input-delta':
        break;
      case 'start-step':
        if (isStepped) lines.push('step');
        isStepped = true;
        break;
      case 'text-start':
      case 'reasoning-start':
        blocks.set(chunk.id, '');
        break;
      case 'text-delta':
      case 'reasoning-delta':
        blocks.set(chunk.id, `${blocks.get(chunk.id)}${chunk.delta}`);
        break;
      case 'text-end':
      case 'reasoning-end':
        lines.push(`${chunk.type.slice(0, -'-end'.length)} ${blocks.get(chunk.id)}`);
        break;
      case 'tool-input-available':
        shown = label;
        break;
      case 'tool-approval-request':
        if (!isAsked) lines.push(`automatic question ${label}`);
        else lines.push(`${shown === undefined ? 'asks again' : 'asks'} ${label}`);
        shown = undefined;
        break;
      default:
        lines.push(lineOf(chunk, label));
    }
  }
  return lines;
}

function lineOf(chunk: UIMessageChunk, label: string): string {
  switch (chunk.type) {
    case 'tool-approval-response':
      if (chunk.providerMetadata?.countersign?.withdrawn !== undefined) return 'withdrawn';
      return chunk.approved ? 'approved' : 'denied';
    case 'tool-output-available':
      return `${label} gave ${JSON.stringify(chunk.output)}`;
    case 'tool-output-error':
      return `${label} failed: ${chunk.errorText}`;
    case 'tool-input-error':
      return `${label} failed: invalid input`;
    case 'tool-output-denied':
      return `${label} denied`;
    case 'error':
      return `error: ${chunk.errorText}`;
    case 'abort':
      return `abort: ${chunk.reason}`;
    default:
      return chunk.type;
  }
}
