import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import type { AsyncApiPart } from '../../server/documents/async-api.ts';
import { operation } from '../../server/documents/operations.ts';
import {
  clientFrameSchema,
  clientFrameSchemas,
  serverFrameSchema,
  serverFrameSchemas,
} from './client/schema.ts';

/** The address of the socket. */
const address = '/api/dialects/chat-socket';

/** What the OpenAPI document says about the chat socket. @source C14 */
export const chatSocketOpenApi: OpenApiPart = {
  tag: {
    name: 'Chat socket',
    description: 'WebSocket dialect. `GET /asyncapi.json` describes its frames.',
  },
  schemas: { 'chat-socket.client': clientFrameSchema, 'chat-socket.server': serverFrameSchema },
  paths: {
    [address]: {
      get: operation('chatSocket', 'Upgrade to the chat socket: JSON text frames', {
        101: { description: 'Frames: `chat-socket.client` to the server, `chat-socket.server` from it.' },
      }),
    },
  },
};

/** What the AsyncAPI document says about the chat socket. @source C14, D2 */
export const chatSocketAsyncApi: AsyncApiPart = {
  groups: {
    'chat-socket.client': { payloads: clientFrameSchemas },
    'chat-socket.server': { payloads: serverFrameSchemas },
  },
  channels: {
    chatSocket: {
      address,
      description: 'Chats over a WebSocket, for clients without the AI SDK.',
      method: 'GET',
      sends: 'chat-socket.server',
      receives: 'chat-socket.client',
    },
  },
};
