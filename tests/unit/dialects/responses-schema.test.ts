import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import type { Response, ResponseStreamEvent, ResponseUsage } from 'openai/resources/responses/responses';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type ResponseEvent,
  type ResponseEventOf,
  responseEventSchema,
  responseEventSchemas,
} from '../../../lib/plugins/responses/client/schema/event-schema.ts';
import type { Item } from '../../../lib/plugins/responses/client/schema/item-schema.ts';
import type { ResponseObject } from '../../../lib/plugins/responses/client/schema/response-schema.ts';

/**
 * The client puts `output_text` into each response itself; it never comes over the wire. `usage` is null there until
 * a response has ended, which the package's types do not say.
 */
type OnTheWire<Event> = Event extends { response: Response }
  ? Omit<Event, 'response'> & {
      response: Omit<Response, 'output_text' | 'usage'> & { usage?: ResponseUsage | null };
    }
  : Event;

const text = { type: 'output_text' as const, text: 'Hi.', annotations: [], logprobs: [] };
const refusal = { type: 'refusal' as const, refusal: 'No.' };
const summary = { type: 'summary_text' as const, text: 'So.' };
const item = (type: 'mcp_call', id: string) => ({
  type,
  id,
  server_label: 'countersign',
  name: 'pay',
  arguments: '{}',
  status: 'completed' as const,
  approval_request_id: null,
  output: 'ok',
  error: null,
});
const message = (id: string) => ({
  type: 'message' as const,
  id,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [],
});

/** Items of every type that events are about, in order of their places. */
const items: Item[] = [
  message('msg_0'),
  { type: 'reasoning', id: 'rs_1', status: 'completed', summary: [] },
  item('mcp_call', 'mcp_2'),
  { type: 'file_search_call', id: 'fs_3', status: 'completed', queries: ['x'], results: null },
  {
    type: 'web_search_call',
    id: 'ws_4',
    status: 'completed',
    action: { type: 'search', query: 'x', queries: ['x'] },
  },
  { type: 'function_call', id: 'fc_5', call_id: 'call_5', name: 'f', arguments: '{}', status: 'completed' },
  { type: 'mcp_list_tools', id: 'mcpl_6', server_label: 'countersign', tools: [] },
  message('msg_7'),
  { type: 'mcp_approval_request', id: 'mcpr_8', server_label: 'countersign', name: 'pay', arguments: '{}' },
  { type: 'function_call_output', id: 'fco_9', call_id: 'call_5', output: 'ok', status: 'completed' },
];

function response(status: ResponseObject['status']): ResponseObject {
  return {
    id: 'resp_chat.run_1',
    object: 'response',
    created_at: 1,
    status,
    error: null,
    incomplete_details: null,
    model: 'countersign',
    output: status === 'in_progress' || status === 'queued' ? [] : items,
    usage: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
    store: true,
    tool_choice: 'auto',
    tools: [],
    temperature: null,
    top_p: null,
    access_programs: null,
  };
}

const at = (output_index: number) => ({ output_index, item_id: items[output_index]?.id ?? '' });
const mcp = { ...at(2), name: 'pay' };
const files = { ...at(3), name: 'file_search' };
const web = { ...at(4), name: 'web_search' };

/** A stream with each of the declared events, those that this gateway never has reason to send among them. */
const everyEvent = [
  { type: 'response.created', response: response('in_progress') },
  { type: 'response.queued', response: response('queued') },
  { type: 'response.in_progress', response: response('in_progress') },
  ...items.map((each, output_index) => ({ type: 'response.output_item.added', output_index, item: each })),
  { type: 'response.content_part.added', ...at(0), content_index: 0, part: { ...text, text: '' } },
  { type: 'response.output_text.delta', ...at(0), content_index: 0, delta: 'Hi.', logprobs: [] },
  {
    type: 'response.output_text.annotation.added',
    ...at(0),
    content_index: 0,
    annotation_index: 0,
    annotation: {
      type: 'url_citation',
      start_index: 3,
      end_index: 3,
      title: 'A',
      url: 'https://example.com',
    },
  },
  { type: 'response.output_text.done', ...at(0), content_index: 0, text: 'Hi.', logprobs: [] },
  { type: 'response.content_part.done', ...at(0), content_index: 0, part: text },
  { type: 'response.content_part.added', ...at(7), content_index: 0, part: { ...refusal, refusal: '' } },
  { type: 'response.refusal.delta', ...at(7), content_index: 0, delta: 'No.' },
  { type: 'response.refusal.done', ...at(7), content_index: 0, refusal: 'No.' },
  {
    type: 'response.reasoning_summary_part.added',
    ...at(1),
    summary_index: 0,
    part: { ...summary, text: '' },
  },
  { type: 'response.reasoning_summary_text.delta', ...at(1), summary_index: 0, delta: 'So.' },
  { type: 'response.reasoning_summary_text.done', ...at(1), summary_index: 0, text: 'So.' },
  { type: 'response.reasoning_summary_part.done', ...at(1), summary_index: 0, part: summary },
  {
    type: 'response.content_part.added',
    ...at(1),
    content_index: 0,
    part: { type: 'reasoning_text', text: '' },
  },
  { type: 'response.reasoning_text.delta', ...at(1), content_index: 0, delta: 'Hm.' },
  { type: 'response.reasoning_text.done', ...at(1), content_index: 0, text: 'Hm.' },
  { type: 'response.mcp_call.in_progress', ...mcp },
  { type: 'response.mcp_call_arguments.delta', ...at(2), delta: '{}' },
  { type: 'response.mcp_call_arguments.done', ...at(2), arguments: '{}' },
  { type: 'response.mcp_call.failed', ...mcp },
  { type: 'response.mcp_call.completed', ...mcp },
  { type: 'response.file_search_call.in_progress', ...files },
  { type: 'response.file_search_call.searching', ...files },
  { type: 'response.file_search_call.completed', ...files },
  { type: 'response.web_search_call.in_progress', ...web },
  { type: 'response.web_search_call.searching', ...web },
  { type: 'response.web_search_call.completed', ...web },
  { type: 'response.function_call_arguments.delta', ...at(5), delta: '' },
  { type: 'response.function_call_arguments.done', ...at(5), arguments: '{}' },
  { type: 'response.mcp_list_tools.in_progress', ...at(6) },
  { type: 'response.mcp_list_tools.completed', ...at(6) },
  { type: 'response.mcp_list_tools.failed', ...at(6) },
  ...items.map((each, output_index) => ({ type: 'response.output_item.done', output_index, item: each })),
];

const endings = [
  { type: 'response.completed', response: response('completed') },
  { type: 'response.incomplete', response: response('incomplete') },
  { type: 'response.failed', response: response('failed') },
];

const error = {
  type: 'error',
  code: null,
  message: 'No luck.',
  param: null,
  error: { type: 'server_error', code: null, message: 'No luck.', param: null },
};

/** What OpenAI's own parser makes of a stream: the types it passed on, and whether it went wrong. */
async function readByParser(events: readonly object[]) {
  const body = new ReadableStream<string>({
    start(controller) {
      for (const event of events) controller.enqueue(`${JSON.stringify(event)}\n`);
      controller.close();
    },
  });
  const stream = ResponseStream.fromReadableStream(body.pipeThrough(new TextEncoderStream()));
  const seen: string[] = [];
  stream.on('event', ({ type }) => seen.push(type));
  const failure = await stream.done().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { seen, failure };
}

describe('the events that the Responses gateway declares', () => {
  const declared = responseEventSchemas.map(({ shape }) => shape.type.value);

  it('are 38, each once [C13]', () => {
    expect(declared).toHaveLength(38);
    expect(new Set(declared).size).toBe(38);
  });

  it('are in the official union, which has no others that a gateway can send [C13]', () => {
    expectTypeOf<ResponseEvent['type']>().toExtend<ResponseStreamEvent['type']>();
    type LeftOut = Exclude<ResponseStreamEvent['type'], ResponseEvent['type']>;
    type Group =
      | 'audio'
      | 'code_interpreter_call'
      | 'code_interpreter_call_code'
      | 'compaction'
      | 'custom_tool_call_input'
      | 'image_generation_call'
      | 'shell_call_command'
      | 'shell_call_output_content';
    expectTypeOf<LeftOut>().toExtend<`response.${Group}.${string}`>();
  });

  it('match the official types [C13]', () => {
    type FieldError = {
      [Type in ResponseEvent['type']]: ResponseEventOf<Type> extends OnTheWire<
        Extract<ResponseStreamEvent, { type: Type }>
      >
        ? never
        : Type;
    }[ResponseEvent['type']];
    expectTypeOf<FieldError>().toBeNever();
  });

  it.each(endings)('are accepted by the official parser, up to $type [C13]', async (ending) => {
    const events = [...everyEvent, ending].map((event, sequence_number) => ({ ...event, sequence_number }));
    for (const event of events) expect(responseEventSchema.parse(event)).toEqual(event);
    const { seen } = await readByParser(events);
    expect(seen).toEqual(events.map(({ type }) => type));
  });

  it('end with an error that the official parser reports with our text [C13, C16]', async () => {
    const { failure } = await readByParser([...everyEvent, { ...error, sequence_number: everyEvent.length }]);
    expect(failure).toMatchObject({ message: 'No luck.', type: 'server_error' });
  });

  it('are all among those that the official parser was tested with [C13]', () => {
    const tried = [...everyEvent, ...endings, error].map(({ type }) => type);
    expect(new Set(tried)).toEqual(new Set<string>(declared));
  });

  it('are documented by the schemas that check them, each with its own name [C14]', () => {
    const document = z.toJSONSchema(responseEventSchema, { target: 'draft-2020-12' });
    const documented = (document.oneOf ?? document.anyOf ?? []).map(
      (schema) => (typeof schema === 'object' && schema.properties?.type) || {},
    );
    expect(documented).toEqual(declared.map((type) => expect.objectContaining({ const: type })));
  });

  it('include no other type [C13]', () => {
    const invented = {
      type: 'response.tool_call.started',
      sequence_number: 0,
      item_id: 'x',
      output_index: 0,
    };
    expect(responseEventSchema.safeParse(invented).success).toBe(false);
  });
});
