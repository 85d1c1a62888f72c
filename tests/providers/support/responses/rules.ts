import { z } from 'zod';
import { faultOf, type RequestBody } from '../../../support/openai-rules.ts';
import { openaiName } from '../openai-name.ts';

const callId = z
  .string()
  .min(1, 'empty string. Expected a string with minimum length 1')
  .max(64, 'string too long. Expected a string with maximum length 64');
const ownId = (prefix: string) =>
  z.string().startsWith(`${prefix}_`, `Expected an ID that begins with '${prefix}'.`).optional();

const output = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.enum(['input_text', 'input_image', 'input_file']) })),
]);
const item = z.union([
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: z.unknown() }),
  z.looseObject({ role: z.literal('assistant'), content: z.string() }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
  z.looseObject({
    type: z.literal('function_call'),
    id: ownId('fc'),
    call_id: callId,
    name: openaiName,
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: callId, output }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: ownId('rs'),
    summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
    encrypted_content: z.string().nullish(),
  }),
]);

/** The items and tools of a request of Responses. Names and ids of other forms do not fit. */
export const responsesBody = z.looseObject({
  input: z.array(item).min(1),
  tools: z.array(z.looseObject({ type: z.string(), name: openaiName.optional() })).optional(),
});

/** What the service has sent. */
export type ResponsesMemory = {
  /** The types of stored items, by id. */
  readonly stored: ReadonlyMap<string, string>;
  /** The encrypted reasoning of all replies, also those that were not stored. */
  readonly encrypted: ReadonlySet<string>;
};

/** What Responses refuses with 400 although it fits the schema, in the service's words. */
export function faultOfResponses(
  body: RequestBody,
  { stored, encrypted }: ResponsesMemory,
): string | undefined {
  return faultOf(body, stored) ?? reasoningFault(body, stored, encrypted);
}

/** Reasoning is followed by what it was for: a call, a text or more reasoning of the same reply. */
function reasoningFault(
  { input, store }: RequestBody,
  stored: ReadonlyMap<string, string>,
  encrypted: ReadonlySet<string>,
): string | undefined {
  const typeOf = ({ type, id, role }: RequestBody['input'][number]) =>
    type === 'item_reference'
      ? stored.get(String(id))
      : (type ?? (role === 'assistant' ? 'message' : 'input'));
  for (const [at, entry] of input.entries()) {
    if (typeOf(entry) !== 'reasoning') continue;
    const next = input[at + 1];
    if (!next || !['reasoning', 'message', 'function_call'].includes(typeOf(next) ?? '')) {
      return `Item '${entry.id}' of type 'reasoning' was provided without its required following item.`;
    }
    if (entry.type !== 'reasoning') continue;
    if (store === false && typeof entry.encrypted_content !== 'string') {
      return `Item with id '${entry.id}' not found. Items are not persisted when \`store\` is set to false.`;
    }
    if (typeof entry.encrypted_content === 'string' && !encrypted.has(entry.encrypted_content)) {
      return `The encrypted content for item ${entry.id} could not be verified.`;
    }
  }
  return undefined;
}
