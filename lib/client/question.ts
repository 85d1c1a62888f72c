import { isRecord } from '../protocol/json.ts';
import type { NewAnswerJson } from '../protocol/wire/new-answer.ts';
import type { PersonJson } from '../protocol/wire/person.ts';
import type {
  AnswerJson,
  EarlierJson,
  OptionJson,
  QuestionJson,
  RepeatJson,
} from '../protocol/wire/question.ts';
import { object, optional, partial, text } from './http/read-wire.ts';
import { questionFields, readPreview } from './read-question.ts';
import { readableName } from './text/readable-name.ts';

export type { Remember } from '../protocol/wire/remember.ts';

/** The public part of a principal. */
export type Person = PersonJson;

/** The state of a question. Every state but `open` is final. @source S4 */
export type QuestionState = QuestionJson['state'];

/**
 * An earlier call with the same tool and arguments. `at` is ISO 8601; `outcome` is as of the time of the question. The
 * ids are present for people who may see that chat.
 *
 * @source H13
 */
export type Repeat = RepeatJson;

/** A call of the same turn that failed before the question was asked. `error` is absent for people who may not see the chat. */
export type EarlierCall = EarlierJson;

/** How a question was answered. `at` is ISO 8601. `input` is present when the arguments were edited. */
export type QuestionAnswer = AnswerJson;

/**
 * A question as a card shows it, from a chat's message or from the inbox. Times are ISO 8601.
 *
 * @template Input the tool's arguments, when you know them
 * @source H9, H13, S4
 */
export type Question<Input = unknown> = Omit<
  QuestionJson,
  'title' | 'input' | 'askedBy' | 'requestedAt' | 'digest' | 'replaces'
> & {
  /** The tool's name for people. Default: made from `toolName`. */
  readonly title: string;
  /** As the model proposed them, with the tool's secrets redacted. */
  readonly input: Input;
  readonly askedBy?: Person;
  /** Absent if an older server sent the question in a chat's message. */
  readonly requestedAt?: string;
};

/** A named choice of a question. @source ADR 0050 */
export type QuestionOption = OptionJson;

/** What a person decided about a question. @source H10 */
export type NewAnswer<Input = unknown> = Omit<NewAnswerJson, 'approved' | 'input'> & {
  readonly approved: boolean;
  /** Edited arguments. Omit to approve them as proposed. */
  readonly input?: Input;
};

/** The fields of an approval that plugins add. */
export type AddedFields = Omit<
  NewAnswer,
  'approved' | 'option' | 'value' | 'input' | 'reason' | 'previewDigest'
>;

/** What plugins have added to an answer. */
export function addedIn(answer: NewAnswer | undefined): AddedFields {
  const { approved, option, value, input, reason, previewDigest, ...added }: Partial<NewAnswer> =
    answer ?? {};
  return added;
}

// Calls: bundlers omit them where no question is read, but never a destructured constant.
const own = ownOf(questionFields);
const described = describedOf(questionFields);
const readOwn = object<Pick<QuestionJson, keyof typeof own>>(own);
const readDescriptor = partial<Pick<QuestionJson, keyof typeof described>>(described);

function ownOf({ id, chatId, toolCallId, toolName, input, state, answer }: typeof questionFields) {
  return { id, chatId, toolCallId, toolName, input, state, answer };
}

function describedOf(fields: typeof questionFields) {
  const { id, chatId, toolCallId, toolName, input, state, answer, digest, replaces, ...others } = fields;
  return others;
}

/** Parses a `Question`; `undefined` when the value is not one. Keeps fields that have no reader as they are. */
export function parseQuestion(value: unknown): Question | undefined {
  const question = readOwn(value);
  return question && { ...parseDescriptor(value, question.toolName), ...question };
}

/** Parses the response to `POST /api/approvals/{id}/preview`; `undefined` when the value is no such response. */
export const parsePreviewed = object<Pick<QuestionJson, 'description' | 'preview'>>({
  description: text,
  preview: optional(readPreview),
});

/** The fields of a question in `approvalDescriptor`: all but ids, arguments and state. @source H13 */
export type Descriptor = Omit<
  Question,
  'id' | 'chatId' | 'toolCallId' | 'toolName' | 'input' | 'state' | 'answer'
>;

/**
 * Parses the descriptor of a question. Falls back to a sentence made from the tool's name, so that the question can be
 * asked without one.
 *
 * @param title the tool's name for people, if the message has it
 */
export function parseDescriptor(value: unknown, toolName: string, title?: string): Descriptor {
  const given: Partial<Descriptor> = { ...withoutReader(value), ...readDescriptor(value) };
  const shownTitle = given.title || (title ?? readableName(toolName));
  const mayAnswer = given.mayAnswer !== false;
  return {
    ...given,
    title: shownTitle,
    description: given.description || `Run “${shownTitle}”`,
    mayAnswer,
    mayEdit: mayAnswer && given.mayEdit === true,
    mayRemember: mayAnswer && given.mayRemember === true,
  };
}

/** The fields of a question that nothing here reads. A new field needs a reader only if its form matters to a card. */
function withoutReader(value: unknown): object {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(questionFields, name)));
}

/** Whether a question cannot be approved without something that a person fills in. */
export function needsForm({ needsInput, needsValue }: Question): boolean {
  return needsInput === true || needsValue === true;
}
