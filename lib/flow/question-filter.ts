import type { PlacedPage } from '../log/store/index.ts';
import {
  type ChatId,
  CountersignError,
  type Question,
  type QuestionState,
  type Risk,
} from '../protocol/index.ts';
import { questionStateSchema } from '../protocol/wire/question.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { currentId } from '../settings/former-ids.ts';

/** Settled is every state but `open`. */
const listedStates = [...questionStateSchema.options, 'settled'] as const;

/** Which questions a request lists: the open ones, unless it names a state. @throws CountersignError `invalid-request` @source H9 */
export function parseListedState(given: string = 'open'): QuestionState | 'settled' {
  const state = listedStates.find((each) => each === given);
  if (state) return state;
  throw new CountersignError('invalid-request', `\`state\` must be one of: ${listedStates.join(', ')}.`);
}

/** Selects the questions of a list: those that match all given fields. Times are epoch milliseconds. @source H9 */
export type QuestionFilter = {
  readonly toolName?: string;
  readonly chatId?: ChatId;
  /** The id of the person who asked for the turn. */
  readonly askedBy?: string;
  /** Asked at this time or later. */
  readonly requestedSince?: number;
  /** Asked before this time. */
  readonly requestedBefore?: number;
  readonly risk?: Risk;
  /**
   * All of its words must occur (case-insensitively) in the sentence, the tool's names or the asker's name.
   * Arguments are not searched.
   */
  readonly text?: string;
};

/** Removes questions that do not match. Stores have no filters, so the cost is that of the unfiltered list. */
export function filtered(
  settings: Pick<FlowSettings, 'formerIds'>,
  filter: QuestionFilter,
  { items, cursors, next }: PlacedPage<Question>,
): PlacedPage<Question> {
  const { requestedBefore = Number.POSITIVE_INFINITY } = filter;
  const places = items.flatMap((question, index) => (fits(settings, filter, question) ? [index] : []));
  const isOver = items.some(({ requestedAt }) => requestedAt >= requestedBefore);
  return {
    items: places.flatMap((index) => items[index] ?? []),
    cursors: places.flatMap((index) => cursors[index] ?? []),
    next: next !== undefined && !isOver ? next : undefined,
  };
}

export function fits(
  settings: Pick<FlowSettings, 'formerIds'>,
  { toolName, chatId, askedBy, requestedSince, requestedBefore, risk, text }: QuestionFilter,
  question: Question,
): boolean {
  const { requestedAt } = question;
  return (
    (toolName === undefined || question.toolName === toolName) &&
    (chatId === undefined || question.chatId === chatId) &&
    (askedBy === undefined || currentId(settings, question.askedBy.id) === currentId(settings, askedBy)) &&
    (requestedSince === undefined || requestedAt >= requestedSince) &&
    (requestedBefore === undefined || requestedAt < requestedBefore) &&
    (risk === undefined || question.risk === risk) &&
    (text === undefined || hasWords(question, text))
  );
}

function hasWords({ description, title = '', toolName, askedBy }: Question, text: string): boolean {
  const shown = [description, title, toolName, askedBy.name].join('\n').toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => shown.includes(word));
}
