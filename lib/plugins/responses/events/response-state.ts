import type { ChatId, RunEvent, RunId } from '../../../protocol/index.ts';
import type { ResponseObject } from '../client/schema/response-schema.ts';
import { formatResponseId } from '../ids.ts';
import type { RequestFacts } from '../request/request-facts.ts';
import { type Ending, inProgress } from './ending.ts';
import type { Output } from './output.ts';
import { createUsage } from './usage.ts';

/** The fields of a request that its response repeats. Limits are absent where the request set none. */
type RequestEcho = Pick<
  ResponseObject,
  | 'model'
  | 'instructions'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'previous_response_id'
  | 'store'
  | 'tool_choice'
  | 'tools'
  | 'max_output_tokens'
  | 'max_tool_calls'
  | 'text'
>;

/** What a response repeats of its request, with the defaults of the API. */
export function echoOf(facts: RequestFacts, model: string): RequestEcho {
  const { max_output_tokens, max_tool_calls, text } = facts;
  return {
    model: facts.model ?? model,
    instructions: facts.instructions ?? null,
    metadata: facts.metadata ?? {},
    parallel_tool_calls: facts.parallel_tool_calls ?? true,
    previous_response_id: facts.previous_response_id ?? null,
    store: facts.store ?? true,
    tool_choice: facts.tool_choice ?? 'auto',
    tools: facts.tools ?? [],
    max_output_tokens,
    max_tool_calls,
    text: text || undefined,
  };
}

/** The response object, and its first and last events. @source C9, C12 */
export function createResponseState(output: Output, chatId: ChatId) {
  const usage = createUsage();
  let head: Pick<ResponseObject, 'id' | 'created_at'> | undefined;
  let runId: RunId | undefined;
  let echo = echoOf({}, '');
  let ending = inProgress;

  function response(): ResponseObject {
    const { id = '', created_at = 0 } = head ?? {};
    const hasEnded = ending.status !== 'in_progress';
    return {
      id,
      object: 'response',
      created_at,
      ...ending,
      output: output.items(),
      usage: hasEnded ? usage.total() : null,
      ...echo,
      temperature: null,
      top_p: null,
      access_programs: null,
    };
  }

  return {
    response,
    addUsage: usage.add,
    hasBegun: () => head !== undefined,
    hasEnded: () => ending.status !== 'in_progress',
    /** The run that the response is. */
    runId: () => runId,

    begin(event: RunEvent, repeated: RequestEcho): void {
      runId = event.runId;
      echo = repeated;
      head = { id: formatResponseId(chatId, event.runId), created_at: Math.floor(event.at / 1000) };
      output.emit({ type: 'response.created', response: response() });
      output.emit({ type: 'response.in_progress', response: response() });
    },

    end(how: Ending): void {
      ending = how;
      output.endOpen();
      switch (how.status) {
        case 'failed': {
          const { code = null, message = '', type = 'server_error', param = null } = how.error ?? {};
          output.emit({ type: 'error', code, message, param, error: { type, code, message, param } });
          output.emit({ type: 'response.failed', response: response() });
          return;
        }
        case 'incomplete':
          output.emit({ type: 'response.incomplete', response: response() });
          return;
        default:
          output.emit({ type: 'response.completed', response: response() });
      }
    },
  };
}

/** @see createResponseState */
export type ResponseState = ReturnType<typeof createResponseState>;
