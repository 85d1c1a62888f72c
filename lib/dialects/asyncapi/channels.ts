import type { JsonSchema } from '../../server/openapi/operations.ts';
import { type GroupName, messagesOf } from './messages.ts';

/** A socket or an event stream: where it is, what the server sends, and what it receives. */
type Channel = {
  readonly address: string;
  readonly description: string;
  readonly method: 'GET' | 'POST';
  readonly sends: GroupName;
  /** Only sockets receive frames. */
  readonly receives?: GroupName;
};

const all: Readonly<Record<string, Channel>> = {
  bidi: {
    address: '/api/chat/socket',
    description: 'Chats over a WebSocket, in the frames of `WebSocketChatTransport` of the AI SDK.',
    method: 'GET',
    sends: 'bidi.server',
    receives: 'bidi.client',
  },
  chatSocket: {
    address: '/api/dialects/chat-socket',
    description: 'Chats over a WebSocket, for clients without the AI SDK.',
    method: 'GET',
    sends: 'chat-socket.server',
    receives: 'chat-socket.client',
  },
  uiStream: {
    address: '/api/chat',
    description: 'A response as a UI message stream of the AI SDK. The request is in the OpenAPI document.',
    method: 'POST',
    sends: 'ui-stream',
  },
  resumedUiStream: {
    address: '/api/chat/{chatId}/stream',
    description: 'The current message again, and then live.',
    method: 'GET',
    sends: 'ui-stream',
  },
  toolEvents: {
    address: '/api/dialects/tool-events',
    description: 'One turn as tool invocation events, in frames without an event line.',
    method: 'POST',
    sends: 'tool-events',
  },
  toolEventsStream: {
    address: '/api/dialects/tool-events/stream',
    description:
      'The last turn of a conversation as tool invocation events, from its start or after `Last-Event-ID`.',
    method: 'GET',
    sends: 'tool-events-stream',
  },
  toolEventsRetry: {
    address: '/api/dialects/tool-events/retry',
    description: 'A failed call that is made again, as tool invocation events.',
    method: 'POST',
    sends: 'tool-events',
  },
  twoStepStream: {
    address: '/api/chat/stream/{streamId}',
    description: 'A stream of the two-step dialect. `POST /api/chat/message` names it.',
    method: 'GET',
    sends: 'two-step-stream',
  },
  responses: {
    address: '/v1/responses',
    description: "A response of OpenAI's Responses API, requested with `stream: true`.",
    method: 'POST',
    sends: 'responses',
  },
  responseReplay: {
    address: '/v1/responses/{responseId}',
    description: 'A response that is read back with `stream=true`: its events, then live until it ends.',
    method: 'GET',
    sends: 'responses',
  },
  approvals: {
    address: '/api/approvals/events',
    description: 'Questions as they open and settle. The first frame has only an id.',
    method: 'GET',
    sends: 'approvals',
  },
};

/** The channels by name. */
export function channels(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(all).map(([name, { address, description, method, sends, receives }]) => {
      const parameters = [...address.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, {}]);
      return [
        name,
        {
          address,
          description,
          servers: [{ $ref: `#/servers/${receives ? 'socket' : 'http'}` }],
          messages: messagesOf(sends, ...(receives ? [receives] : [])),
          parameters: parameters.length > 0 ? Object.fromEntries(parameters) : undefined,
          bindings: receives ? { ws: { method } } : undefined,
        },
      ];
    }),
  );
}

/** What the server does with each channel, by name. */
export function operations(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, { method, sends, receives }]) => [
      [`${name}.send`, operation(name, 'send', sends, receives ? {} : { bindings: { http: { method } } })],
      ...(receives ? [[`${name}.receive`, operation(name, 'receive', receives)] as const] : []),
    ]),
  );
}

function operation(channel: string, action: 'send' | 'receive', group: GroupName, more: JsonSchema = {}) {
  const messages = Object.keys(messagesOf(group)).map((name) => ({
    $ref: `#/channels/${channel}/messages/${name}`,
  }));
  return { action, channel: { $ref: `#/channels/${channel}` }, messages, ...more };
}
