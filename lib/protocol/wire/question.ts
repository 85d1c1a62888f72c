import { z } from 'zod';
import type { QuestionPlugins } from '../plugin-fields.ts';
import type { DecodedFields } from './codec.ts';
import { personSchema } from './person.ts';
import { previewSchema } from './preview.ts';
import { timeSchema } from './time.ts';
import type { WireObject } from './wire-object.ts';

/** The state of a question. Every state but `open` is final. @source S4 */
export const questionStateSchema = z.enum([
  'open',
  'approved',
  'denied',
  'superseded',
  'expired',
  'cancelled',
  'tool-changed',
  'withdrawn',
  'asked-again',
]);

const optionShape = {
  /** Unique within the question. An answer names it. */
  id: z.string(),
  /** For people: at most 60 characters. */
  label: z.string(),
  then: z.enum(['approve', 'deny']),
  /** The arguments that this option approves, redacted. Absent if they are those of the question. */
  input: z.unknown().optional(),
  /** What the call will do with those arguments, in a sentence. Present with `input`. */
  description: z.string().optional(),
  /** Those arguments after the tool's schema transformed them, if that differs. */
  runsAs: z.unknown().optional(),
  /** The reason that the model gets, unless the person writes one. */
  reason: z.string().optional(),
};

/** A named choice of a question. @source ADR 0050 */
const optionSchema = z.object(optionShape);

const answerShape = {
  approved: z.boolean(),
  reason: z.string().optional(),
  /** The option that was chosen. */
  option: optionSchema.pick({ id: true, label: true }).optional(),
  /** What the person filled in, with the tool's secrets redacted. */
  value: z.unknown().optional(),
  /** The edited arguments. */
  input: z.unknown().optional(),
  /** The edited arguments after the tool's schema transformed them, if that differs. */
  runsAs: z.unknown().optional(),
  by: personSchema,
  /** Whose right it was, if it was delegated to `by`. */
  onBehalfOf: personSchema.optional(),
  at: timeSchema,
  /** The entry point that the answer came through: `sse`, `bidi`, `http`, `link`, or a dialect's name. */
  via: z.string(),
};

/** @see AnswerJson */
export const answerSchema = z.object(answerShape);

const recordedShape = {
  approved: z.boolean(),
  reason: z.string().optional(),
  by: personSchema,
  /** Whose right it was, if `by` acted for another person. */
  onBehalfOf: personSchema.optional(),
  at: timeSchema,
  via: z.string(),
};

const repeatShape = {
  at: timeSchema,
  /** Its state when the question was asked. */
  outcome: z.enum(['approved', 'running', 'completed', 'failed', 'unknown']),
  /** Absent for people who may not see that chat. */
  chatId: z.string().optional(),
  toolCallId: z.string().optional(),
};

export const repeatSchema = z.object(repeatShape);

const historyShape = {
  /** What the call is about, as named by its tool: a payee, an account. */
  subject: z.string(),
  /** How many calls of the tool with this subject the asker has completed; 100 stands for 100 or more. */
  count: z.int().nonnegative(),
  /** When the last of them ended. Absent without any. */
  lastAt: timeSchema.optional(),
  /** The asker's last call with this subject that a person denied. Absent without any. */
  denied: z.object({ at: timeSchema, by: personSchema }).optional(),
};

/** JSON. Each plugin knows the type of its own part. */
const questionPlugins = z.record(z.string(), z.unknown()) as z.ZodType<QuestionPlugins>;

const earlierShape = {
  toolCallId: z.string(),
  toolName: z.string(),
  /** The tool's name for people. */
  title: z.string().optional(),
  outcome: z.enum(['failed', 'unknown']),
  /** What went wrong, in a sentence. Absent for people who may not see the chat. */
  error: z.string().optional(),
};

/**
 * What a question says from its first event to the last reader. A field that is added here is part of `approval-requested`, and of
 * the question in the store, on the wire, and in the page's message.
 */
export const askedShape = {
  /** What will happen, in a sentence. */
  description: z.string(),
  risk: z.enum(['low', 'medium', 'high']).optional(),
  /** Why the risk is what it is, in a few words. */
  riskReason: z.string().optional(),
  /** The asker's earlier calls with the same subject. Present if the tool has a `subject`. @source ADR 0040 */
  history: z.object(historyShape).optional(),
  askedBy: personSchema,
  deadline: timeSchema.optional(),
  /** Counts from 1; `of` only where the queue's length is known. */
  position: z.object({ index: z.int().positive(), of: z.int().positive().optional() }).optional(),
  /** Digest of the tool that the question is about. Absent for a call that the model's provider runs. @source ADR 0020 */
  digest: z.string().optional(),
  /** What plugins say of the question, by the name of the plugin. @source ADR 0056 */
  plugins: questionPlugins.optional(),
  /** How many answers the question had that this one replaces. They no longer count. Absent if it had none. */
  droppedAnswers: z.int().positive().optional(),
  /** Calls of the same turn that failed before the question was asked, oldest first. */
  earlier: z.array(z.object(earlierShape)).optional(),
  /** An approval needs `input`: a required field of the form that a running call shows has no default. */
  needsInput: z.literal(true).optional(),
  /** The model asks a person: an approval needs `value`, which fits the `inputSchema` of the question. @source ADR 0050 */
  needsValue: z.literal(true).optional(),
};

/** What depends on the reader, and on the moment. */
const rightsShape = {
  /** What this person may do. The server enforces it. */
  mayAnswer: z.boolean(),
  /** The person whose delegated right this person would use. Absent if they have the right themselves. @source ADR 0049 */
  onBehalfOf: personSchema.optional(),
  /** May approve edited arguments. True only for tools of the flow, not for those of a provider. */
  mayEdit: z.boolean(),
  /** May remember the approval. @source ADR 0015 */
  mayRemember: z.boolean(),
  /** This person has answered, and the question waits for others. `mayAnswer` is then false. @source ADR 0056 */
  hasAnswered: z.literal(true).optional(),
  /** Who may answer, for a person who may not, if the tool provides this text. */
  whoMayAnswer: z.string().optional(),
  /**
   * Answers need a recent sign-in or second factor. `needed`: this person had none, as of when the question was read.
   * `methods`: one of them must have been used.
   */
  stepUp: z
    .object({ maxAgeMs: z.number().positive(), methods: z.array(z.string()).optional(), needed: z.boolean() })
    .optional(),
  /** The tool asks for a reason with each denial. The server accepts one without. */
  reasonOnDeny: z.literal(true).optional(),
};

/** The same for every reader of an open question. */
const marksShape = {
  /** The tool has changed since the question was asked: it can only be denied, and is asked again. */
  outdated: z.literal(true).optional(),
  /** Present while the tool is paused: the server refuses approvals and accepts denials. */
  paused: z.object({ reason: z.string() }).optional(),
};

const factsShape = {
  id: z.string(),
  chatId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  /** The tool's name for people. */
  title: z.string().optional(),
  /** As the model proposed them, with the tool's secrets redacted. */
  input: z.unknown(),
  /** The arguments after the tool's schema transformed them, as redacted JSON. Present if it differs. */
  runsAs: z.unknown().optional(),
  ...askedShape,
  /** The effect that the call would have. Present if the tool has a `preview`. @source ADR 0040 */
  preview: previewSchema.optional(),
  requestedAt: timeSchema,
  /** The withdrawn question that this one replaces. */
  replaces: z.string().optional(),
  /** The same tool ran with the same arguments, or was approved for them, within the previous day. */
  repeatOf: repeatSchema.optional(),
  /**
   * The choices of the question. A plain approval is the first of them that approves the arguments as proposed; if there is
   * none, an approval without `option` is refused.
   *
   * @source ADR 0050
   */
  options: z.array(optionSchema).optional(),
  /**
   * Answers that have left it open, because a plugin waits for more people: in their order, at most one of each person.
   *
   * @source ADR 0056
   */
  answers: z.array(z.object(recordedShape)).optional(),
  /** Who changed the arguments of the question that this one replaces. @source ADR 0047 */
  editedBy: personSchema.optional(),
  state: questionStateSchema,
  answer: answerSchema.optional(),
};

const questionShape = { ...factsShape, ...rightsShape, ...marksShape };

/** One question, as every endpoint and the feed send it. @source S4 */
export const questionSchema = z.object(questionShape);

/** The part of an open question that its message's `approvalDescriptor` has. @source H13 */
export const descriptorSchema = questionSchema.omit({
  id: true,
  chatId: true,
  toolCallId: true,
  toolName: true,
  input: true,
  digest: true,
  replaces: true,
  state: true,
  answer: true,
});

/** What `approval-requested` says, as the question does. @source S4 */
export type AskedFields = DecodedFields<typeof askedShape>;

/** A question in code, without what depends on its reader. @source S4 */
export type QuestionFields = DecodedFields<typeof factsShape>;

/** What one reader may do with a question. */
export type RightsFields = DecodedFields<typeof rightsShape>;

export type MarksFields = DecodedFields<typeof marksShape>;

/** One question. @source S4 */
export type QuestionJson = WireObject<typeof questionShape>;

/** How a question was answered. @source S4 */
export type AnswerJson = WireObject<typeof answerShape>;

/** A named choice of a question. @source ADR 0050 */
export type OptionJson = WireObject<typeof optionShape>;

/** An earlier call with the same tool and arguments. @source H13 */
export type RepeatJson = WireObject<typeof repeatShape>;

/** A call of the same turn that failed before a question was asked. @source S4 */
export type EarlierJson = WireObject<typeof earlierShape>;
