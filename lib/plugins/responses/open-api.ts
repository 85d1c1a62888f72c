import type { z } from 'zod';
import type { OpenApiPart, Part, Path } from '../../flow/plugin/open-api.ts';
import { doneFrame, framesSchema, namedFrame } from '../../server/documents/event-frames.ts';
import {
  answerRefusals,
  body,
  inPath,
  json,
  operation,
  optional,
  ref,
} from '../../server/documents/operations.ts';
import { responseEventSchemas } from './client/schema/event-schema.ts';
import { errorBodySchema, responseSchema } from './client/schema/response-schema.ts';
import { responsesRequestSchema } from './request/request-schema.ts';
import { deletedSchema, inputItemsSchema, modelSchema, modelsSchema } from './routes/list-schema.ts';

/** Each event type of the stream, by its name. @source C13, C14 */
export const responseEvents: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  responseEventSchemas.map((schema) => [schema.shape.type.value, schema]),
);

const responseFrames = [
  ...Object.keys(responseEvents).map((type) => namedFrame(type, ref(type), { hasId: false })),
  doneFrame,
];

const responseOrStream: Part = {
  description: 'A response, or its stream.',
  content: {
    'application/json': { schema: ref('Response') },
    'text/event-stream': { schema: framesSchema(responseFrames) },
  },
};

const responseId = inPath('responseId');
const include = optional('include', 'query', 'As in a request. May be repeated.');

const paths: Readonly<Record<string, Path>> = {
  '/v1/responses': {
    post: operation(
      'createResponse',
      "OpenAI's Responses API",
      { 200: responseOrStream },
      {
        parameters: [
          optional(
            'Idempotency-Key',
            'header',
            'A request that is sent twice under one key begins one conversation, and one turn in it.',
          ),
        ],
        requestBody: body('ResponsesRequest'),
        refusals: [
          'not-found',
          'run-active',
          'already-answered',
          'question-changed',
          'key-reused',
          ...answerRefusals,
        ],
      },
    ),
  },
  '/v1/responses/{responseId}': {
    parameters: [responseId],
    get: operation(
      'retrieveResponse',
      'Read a response back, or follow it',
      { 200: responseOrStream },
      {
        parameters: [
          include,
          optional('stream', 'query', '`true`: its events, then live until it ends.'),
          optional('starting_after', 'query', 'With `stream`: only events after this `sequence_number`.'),
        ],
      },
    ),
    delete: operation('deleteResponse', 'Erase the conversation, by its last response', {
      200: json('Erased.', ref('ResponseDeleted')),
    }),
  },
  '/v1/responses/{responseId}/cancel': {
    parameters: [responseId],
    post: operation('cancelResponse', 'Stop a running response', { 200: json('It.', ref('Response')) }),
  },
  '/v1/responses/{responseId}/input_items': {
    parameters: [responseId],
    get: operation(
      'listInputItems',
      'What the request of a response added to the conversation',
      { 200: json('A page.', ref('ResponseInputItems')) },
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
    get: operation('listModels', 'The model of the server', { 200: json('It alone.', ref('Models')) }),
  },
  '/v1/models/{model}': {
    parameters: [inPath('model')],
    get: operation('retrieveModel', 'The model of the server', { 200: json('It.', ref('Model')) }),
  },
};

/** What the OpenAPI document says about the gateway. @source C14, ADR 0014 */
export const responsesOpenApi: OpenApiPart = {
  tag: { name: 'Responses gateway', description: "OpenAI's Responses API." },
  errorSchema: 'ResponsesError',
  schemas: {
    ResponsesRequest: responsesRequestSchema,
    Response: responseSchema,
    ResponsesError: errorBodySchema,
    ResponseDeleted: deletedSchema,
    ResponseInputItems: inputItemsSchema,
    Model: modelSchema,
    Models: modelsSchema,
    ...responseEvents,
  },
  paths,
};
