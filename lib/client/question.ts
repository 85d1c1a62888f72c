import type { Remember } from '../protocol/decisions.ts';
import { isRecord } from '../protocol/json.ts';

export type { Remember };

/** What others see of a person. */
export type Person = { readonly id: string; readonly name: string };

/** Where a question stands. Every state but `open` is final. @source S4 */
export type QuestionState =
  | 'open'
  | 'approved'
  | 'denied'
  | 'superseded'
  | 'expired'
  | 'cancelled'
  | 'tool-changed';

/**
 * An earlier call with the same tool and arguments. `at` is ISO 8601; `outcome` is as of the time of the question. The
 * ids are present for people who may see that chat.
 *
 * @source H13
 */
export type Repeat = {
  readonly at: string;
  readonly outcome: 'approved' | 'running' | 'completed' | 'failed' | 'unknown';
  readonly chatId?: string;
  readonly toolCallId?: string;
};

/** How a question was answered. `at` is ISO 8601. `input` is present when the arguments were edited. */
export type QuestionAnswer = {
  readonly approved: boolean;
  readonly reason?: string;
  readonly input?: unknown;
  /** The edited arguments after the tool's schema transformed them, where that differs. */
  readonly runsAs?: unknown;
  readonly by: Person;
  readonly at: string;
  readonly via: string;
};

/**
 * A question as a card shows it, from a chat's message or from the inbox.
 *
 * @template Input the tool's arguments, when you know them
 * @source H9, H13, S4
 */
export type Question<Input = unknown> = {
  readonly id: string;
  readonly chatId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The tool's name for people. Default: made from `toolName`. */
  readonly title: string;
  /** As the model proposed them, with the tool's secrets redacted. */
  readonly input: Input;
  /** The arguments after the tool's schema transformed them, as redacted JSON. Present where that differs. */
  readonly runsAs?: unknown;
  /** What will happen, in a sentence. */
  readonly description: string;
  readonly risk?: 'low' | 'medium' | 'high';
  readonly askedBy?: Person;
  /** ISO 8601, as `deadline`. Absent for a question from a chat's message. */
  readonly requestedAt?: string;
  readonly deadline?: string;
  /** Counts from 1; `of` only where the queue's length is known. */
  readonly position?: { readonly index: number; readonly of?: number };
  /** The tool has changed since the question was asked: it can only be denied, and is asked again. */
  readonly outdated?: true;
  /** The same tool ran with the same arguments, or was approved for them, within the day before. */
  readonly repeatOf?: Repeat;
  readonly state: QuestionState;
  readonly answer?: QuestionAnswer;
  /** What this person may do. The server enforces it. */
  readonly mayAnswer: boolean;
  readonly mayEdit: boolean;
  readonly mayRemember: boolean;
  /**
   * Answers need a recent sign-in or second factor. `needed`: this person had none, as of when the question was read.
   * `methods`: one of them must have been used.
   */
  readonly stepUp?: {
    readonly maxAgeMs: number;
    readonly methods?: readonly string[];
    readonly needed: boolean;
  };
  /** Present while the tool is paused: the server refuses approvals and takes denials. */
  readonly paused?: { readonly reason: string };
};

/** What a person decided about a question. @source H10 */
export type Decision<Input = unknown> = {
  readonly approved: boolean;
  /** Shared with the model. At most 2,000 characters. */
  readonly reason?: string;
  /** Edited arguments. Omit to approve them as proposed. */
  readonly input?: Input;
  readonly remember?: Remember;
};

const states: readonly QuestionState[] = [
  'open',
  'approved',
  'denied',
  'superseded',
  'expired',
  'cancelled',
  'tool-changed',
];

const outcomes: readonly Repeat['outcome'][] = ['approved', 'running', 'completed', 'failed', 'unknown'];

/** Parses a `Question`; `undefined` when the value is not one. Drops unknown fields. */
export function parseQuestion(value: unknown): Question | undefined {
  if (!isRecord(value)) return undefined;
  const { id, chatId, toolCallId, toolName } = value;
  const state = states.find((known) => known === value.state);
  if (!isText(id) || !isText(chatId) || !isText(toolCallId) || !isText(toolName) || !state) return undefined;
  const answer = parseAnswer(value.answer);
  return {
    ...parseDescriptor(value, toolName),
    id,
    chatId,
    toolCallId,
    toolName,
    input: value.input,
    ...(isText(value.requestedAt) && { requestedAt: value.requestedAt }),
    state,
    ...(answer && { answer }),
  };
}

/** What `approvalDescriptor` tells of a question: all of it but ids, arguments and state. @source H13 */
export type Descriptor = Omit<
  Question,
  'id' | 'chatId' | 'toolCallId' | 'toolName' | 'input' | 'state' | 'answer' | 'requestedAt'
>;

/**
 * Parses the descriptor of a question. Falls back to a sentence made from the tool's name, so that the question can be
 * asked without one.
 *
 * @param title the tool's name for people, where the message knows it
 */
export function parseDescriptor(value: unknown, toolName: string, title?: string): Descriptor {
  const given = isRecord(value) ? value : {};
  const shownTitle = isText(given.title) ? given.title : (title ?? readableName(toolName));
  const risk = (['low', 'medium', 'high'] as const).find((known) => known === given.risk);
  const askedBy = parsePerson(given.askedBy);
  const position = parsePosition(given.position);
  const repeatOf = parseRepeat(given.repeatOf);
  const mayAnswer = given.mayAnswer !== false;
  const stepUp = parseStepUp(given.stepUp);
  const pause = isRecord(given.paused) && isText(given.paused.reason) ? given.paused.reason : undefined;
  return {
    title: shownTitle,
    description: isText(given.description) ? given.description : `Run “${shownTitle}”`,
    ...(risk && { risk }),
    ...(askedBy && { askedBy }),
    ...(isTime(given.deadline) && { deadline: given.deadline }),
    ...(position && { position }),
    ...(given.runsAs !== undefined && { runsAs: given.runsAs }),
    ...(given.outdated === true && { outdated: true as const }),
    ...(repeatOf && { repeatOf }),
    mayAnswer,
    mayEdit: mayAnswer && given.mayEdit === true,
    mayRemember: mayAnswer && given.mayRemember === true,
    ...(stepUp && { stepUp }),
    ...(pause !== undefined && { paused: { reason: pause } }),
  };
}

/** `file_search`, `semanticSearch`, `mcp.multiply` → “File search”, “Semantic search”, “Multiply”. */
export function readableName(toolName: string): string {
  const words = toolName
    .replace(/^mcp\./, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? toolName : words.charAt(0).toUpperCase() + words.slice(1);
}

function parseAnswer(value: unknown): QuestionAnswer | undefined {
  if (!isRecord(value) || typeof value.approved !== 'boolean') return undefined;
  const by = parsePerson(value.by);
  if (!by || !isTime(value.at)) return undefined;
  return {
    approved: value.approved,
    ...(isText(value.reason) && { reason: value.reason }),
    ...(value.input !== undefined && { input: value.input }),
    ...(value.runsAs !== undefined && { runsAs: value.runsAs }),
    by,
    at: value.at,
    via: isText(value.via) ? value.via : '',
  };
}

function parsePerson(value: unknown): Person | undefined {
  return isRecord(value) && isText(value.id) && isText(value.name)
    ? { id: value.id, name: value.name }
    : undefined;
}

function parsePosition(value: unknown): Question['position'] {
  if (!isRecord(value) || !isCount(value.index)) return undefined;
  return { index: value.index, ...(isCount(value.of) && { of: value.of }) };
}

function parseStepUp(value: unknown): Question['stepUp'] {
  if (!isRecord(value) || typeof value.maxAgeMs !== 'number') return undefined;
  const { maxAgeMs, methods, needed } = value;
  const named = Array.isArray(methods) && methods.every(isText) ? { methods } : {};
  return { maxAgeMs, ...named, needed: needed !== false };
}

/** Reads what a question says of an earlier call like its own; `undefined` when it is not that. */
export function parseRepeat(value: unknown): Repeat | undefined {
  if (!isRecord(value) || !isTime(value.at)) return undefined;
  const outcome = outcomes.find((known) => known === value.outcome);
  if (!outcome) return undefined;
  const { at, chatId, toolCallId } = value;
  return { at, outcome, ...(isText(chatId) && { chatId }), ...(isText(toolCallId) && { toolCallId }) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): value is string {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
