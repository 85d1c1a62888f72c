import { z } from 'zod';
import { questionSchema } from './question.ts';
import { timeSchema } from './time.ts';
import type { Immutable } from './wire-object.ts';

/** What a subscription can report, besides what plugins do. Later versions may add types. @source ADR 0043 */
export const eventTypes = [
  'question.opened',
  'question.due-soon',
  'question.settled',
  'question.withdrawn',
  'turn.ended',
  'turn.failed',
  'outcome.unknown',
] as const;

/** One of `eventTypes`, or `question.` and what a plugin has recorded about a question, such as `question.escalated`. */
export type EventType = (typeof eventTypes)[number] | `question.${string}`;

const linksSchema = z
  .object({ inbox: z.url(), chat: z.url() })
  .describe('Pages for people. Present if the flow has a `baseUrl`.');

const headShape = {
  id: z.string().describe('The same for each attempt, and for each copy of the event.'),
  timestamp: timeSchema.describe('When it happened, which may be long before it is delivered.'),
};

/** A question without what depends on the person who reads it. */
export const reportedQuestionSchema = questionSchema.omit({
  mayAnswer: true,
  onBehalfOf: true,
  mayEdit: true,
  mayRemember: true,
  whoMayAnswer: true,
  stepUp: true,
  reasonOnDeny: true,
  paused: true,
  outdated: true,
});

const questionData = z.object({
  question: reportedQuestionSchema.describe(
    'As it is now: an answer may follow before the event is delivered.',
  ),
  links: linksSchema.optional(),
});

const turnShape = { chatId: z.string(), runId: z.string(), links: linksSchema.optional() };

const kernelEventSchema = z.discriminatedUnion('type', [
  z.object({ ...headShape, type: z.literal('question.opened'), data: questionData }),
  z.object({ ...headShape, type: z.literal('question.due-soon'), data: questionData }),
  z.object({ ...headShape, type: z.literal('question.settled'), data: questionData }),
  z.object({ ...headShape, type: z.literal('question.withdrawn'), data: questionData }),
  z.object({
    ...headShape,
    type: z.literal('turn.ended'),
    data: z.object({
      ...turnShape,
      outcome: z.enum(['completed', 'stopped', 'superseded']).describe('`superseded`: by a new message.'),
    }),
  }),
  z.object({
    ...headShape,
    type: z.literal('turn.failed'),
    data: z.object({
      ...turnShape,
      error: z.string().optional().describe('Absent for subscribers that may not see the chat.'),
    }),
  }),
  z.object({
    ...headShape,
    type: z.literal('outcome.unknown'),
    data: z.object({
      chatId: z.string(),
      toolCallId: z.string(),
      toolName: z.string(),
      title: z.string().optional(),
      description: z
        .string()
        .optional()
        .describe('What the call does, in a sentence. Absent for subscribers that may not see the chat.'),
      links: linksSchema.optional(),
    }),
  }),
]);

const pluginEventSchema = z.object({
  ...headShape,
  type: z.templateLiteral(['question.', z.string()]).describe('Its end names what the plugin recorded.'),
  data: questionData.extend({
    plugin: z.string(),
    says: z.unknown().optional().describe('What the question said of the plugin then.'),
  }),
});

/** An event, as subscribers get it. The body of a webhook is this object as JSON. @source ADR 0043 */
export const subscriptionEventSchema = z.union([kernelEventSchema, pluginEventSchema]);

/** @see subscriptionEventSchema */
export type SubscriptionEvent = Immutable<z.infer<typeof subscriptionEventSchema>>;
