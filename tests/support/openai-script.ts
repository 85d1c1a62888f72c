/**
 * One output item of a scripted response, in the form of OpenAI's Responses API. The script chooses the ids, so
 * that tests can refer to them: `id` is the item's, `callId` is shared by a function call and its output.
 *
 * - `reasoning`: the summary, part by part (often empty); `encrypted` is sent only if it was requested
 * - `approval`: the API asks before it calls a tool of a remote MCP server
 * - `mcpCall`: a call of such a tool, with its result; `approvalId` names the approval that allowed it
 */
export type ResponseItem =
  | { readonly text: string; readonly id: string }
  | { readonly reasoning: readonly string[]; readonly id: string; readonly encrypted?: string }
  | { readonly call: string; readonly id: string; readonly callId: string; readonly input: object }
  | { readonly approval: string; readonly id: string; readonly input: object; readonly server?: string }
  | {
      readonly mcpCall: string;
      readonly id: string;
      readonly input: object;
      readonly output: string;
      readonly approvalId?: string;
      readonly server?: string;
    };

/** How a response ends early: with an `error` event, a broken connection, or silence until the client disconnects. */
export type EarlyEnd = { readonly error: string } | { readonly breaksOff: 'connection' | 'never' };

/** What the server does with one request: streams items, or refuses with a status. */
export type ScriptedResponse =
  | readonly (ResponseItem | EarlyEnd)[]
  | { readonly refuse: number; readonly message: string };

/** True for an item; false for an early end. */
export function isItem(part: ResponseItem | EarlyEnd): part is ResponseItem {
  return 'id' in part;
}
