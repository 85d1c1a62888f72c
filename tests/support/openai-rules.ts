import { z } from 'zod';

/** The parts of a request's body that the server and its tests use. */
export const requestBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  store: z.boolean().optional(),
  include: z.array(z.string()).optional(),
  input: z.array(z.looseObject({ type: z.string().optional() })),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** @see requestBody */
export type RequestBody = z.infer<typeof requestBody>;

/**
 * What the API refuses with 400, because an item refers to a missing one.
 *
 * @param stored the items of responses that the API stores, by id
 * @returns the refusal's message; `undefined` if the input is valid
 */
export function faultOf({ input }: RequestBody, stored: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set<unknown>();
  const called = new Set<unknown>();
  const answered = new Set<unknown>();
  const approvals = new Set<unknown>();
  for (const item of input) {
    const { type, id, call_id: callId, approval_request_id: approvalId } = item;
    if (id !== undefined) {
      if (seen.has(id)) return `Duplicate item found with id ${id}.`;
      seen.add(id);
    }
    if (type === 'item_reference' && !stored.has(String(id))) return `Item with id '${id}' not found.`;
    if (type === 'item_reference' && stored.get(String(id)) === 'mcp_approval_request') approvals.add(id);
    if (type === 'function_call') called.add(callId);
    if (type === 'function_call_output') {
      if (!called.has(callId)) return `No tool call found for function call output with call_id ${callId}.`;
      answered.add(callId);
    }
    if (type === 'mcp_approval_response' && !approvals.has(approvalId)) {
      return `No approval request found with id ${approvalId}.`;
    }
  }
  const open = [...called].find((callId) => !answered.has(callId));
  return open === undefined ? undefined : `No tool output found for function call ${open}.`;
}
