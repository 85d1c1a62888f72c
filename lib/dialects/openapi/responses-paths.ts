import { ref, responseEvents } from './components.ts';
import { body, inPath, json, type Operation, optional } from './operations.ts';

type Path = Readonly<Record<string, unknown>>;

const responseOrStream: Operation = {
  description: 'A response, or its stream.',
  content: {
    'application/json': { schema: ref('Response') },
    'text/event-stream': { schema: { oneOf: Object.keys(responseEvents).map(ref) } },
  },
};

const responseId = inPath('responseId');
const include = optional('include', 'query', 'As in a request. May be repeated.');

/** An operation with refusals in the form of OpenAI's API. */
function operation(operationId: string, summary: string, ok: Operation, more: Operation = {}): Operation {
  const refused = json('Refused.', ref('ResponsesError'));
  return { operationId, summary, ...more, responses: { 200: ok, '4XX': refused, '5XX': refused } };
}

/** The endpoints of the Responses gateway. @source C14, ADR 0014 */
export const responsesPaths: Readonly<Record<string, Path>> = {
  '/v1/responses': {
    post: operation('createResponse', "OpenAI's Responses API", responseOrStream, {
      parameters: [
        optional('Idempotency-Key', 'header', 'A request that is sent again with it starts nothing again.'),
      ],
      requestBody: body('ResponsesRequest'),
    }),
  },
  '/v1/responses/{responseId}': {
    parameters: [responseId],
    get: operation('retrieveResponse', 'Read a response back, or follow it', responseOrStream, {
      parameters: [
        include,
        optional('stream', 'query', '`true`: its events, then live until it ends.'),
        optional('starting_after', 'query', 'With `stream`: only events after this `sequence_number`.'),
      ],
    }),
    delete: operation(
      'deleteResponse',
      'Erase the conversation, by its last response',
      json('Erased.', ref('ResponseDeleted')),
    ),
  },
  '/v1/responses/{responseId}/cancel': {
    parameters: [responseId],
    post: operation('cancelResponse', 'Stop a running response', json('It.', ref('Response'))),
  },
  '/v1/responses/{responseId}/input_items': {
    parameters: [responseId],
    get: operation(
      'listInputItems',
      'What the request of a response added to the conversation',
      json('A page.', ref('ResponseInputItems')),
      {
        parameters: [
          optional('after', 'query', 'The id of the item before the page.'),
          optional('limit', 'query', 'The most items of a page, 1 to 100. Default 20.'),
          optional('order', 'query', '`desc` (default): the newest first; `asc`.'),
          include,
        ],
      },
    ),
  },
  '/v1/models': {
    get: operation('listModels', 'The model of the server', json('It alone.', ref('Models'))),
  },
  '/v1/models/{model}': {
    parameters: [inPath('model')],
    get: operation('retrieveModel', 'The model of the server', json('It.', ref('Model'))),
  },
};
