import type { FlexibleSchema, Tool } from '@ai-sdk/provider-utils';
import { z } from 'zod';

/** The settings of a tool with which the model asks a person. */
export type AskPersonSettings<Value> = {
  /**
   * What the person fills in. A page shows any schema as a form, and parts without a field type as JSON. The server validates
   * each answer with it.
   */
  readonly schema: FlexibleSchema<Value>;
  /** The tool's name for people. Default: made from its name in `tools`. */
  readonly title?: string;
  /** When the model should ask, and what for. */
  readonly description?: string;
};

/** What the model writes: its question. */
export type PersonQuestion = { readonly question: string };

const longestQuestion = 2_000;

/** A registered symbol, since a page of the app may load the package twice. */
const form = Symbol.for('countersign.ask-person');

/**
 * A tool with which the model asks a person something, and gets what they fill in as its result. Nothing runs: the answer is
 * the result, recorded with it in one append. Each call is a question of the chat, whatever `toolApproval` says, unless that
 * denies it. A person who declines denies the call.
 *
 * Settings such as `approvers`, `deadlineMs` and `stepUp` are in `toolDetails`, as for other tools. Tools that ask in their
 * own code use `context.ask`.
 *
 * @example
 * tools: { askForDates: askPerson({ schema: z.object({ from: z.iso.date(), nights: z.int().min(1) }) }) }
 * @source ADR 0050
 */
export function askPerson<Value>({
  schema,
  title,
  description,
}: AskPersonSettings<Value>): Tool<PersonQuestion, Value> {
  const asking: object = {
    title,
    description:
      description ?? 'Asks the person something that only they know. They answer by filling in a form.',
    inputSchema: z.object({
      question: z
        .string()
        .min(1)
        .max(longestQuestion)
        .describe('The question, in one or two sentences, in the language of the person.'),
    }),
    outputSchema: schema,
    needsApproval: true,
    [form]: true,
  };
  // The SDK's type depends on the value in a way that a generic function cannot satisfy.
  return asking as Tool<PersonQuestion, Value>;
}

/** Whether a tool only asks a person: the value of the answer is its result. */
export function isForm(tool: object | undefined): boolean {
  return tool !== undefined && (tool as { readonly [form]?: unknown })[form] === true;
}
