import type { WebSocketChatTransportResponse } from 'ai';
import { CountersignError, isRecord, parseJson } from '../protocol/index.ts';

/** A frame that asks for a stream, or ends one. @source H3 */
export type ClientFrame =
  | { readonly type: 'send'; readonly requestId: string; readonly request: Readonly<Record<string, unknown>> }
  | { readonly type: 'resume'; readonly requestId: string; readonly chatId: unknown }
  | { readonly type: 'abort'; readonly requestId: string };

/** A frame of the server. Only the SDK's types, because its class closes the socket on unknown ones. */
export type ServerFrame = WebSocketChatTransportResponse;

const maxRequestIdLength = 256;

/** Parses a frame's request id and fields; `undefined` for anything but a JSON object with a request id. */
export function openFrame(
  text: string,
): { requestId: string; fields: Readonly<Record<string, unknown>> } | undefined {
  const fields = parseJson(text);
  if (!isRecord(fields) || typeof fields.type !== 'string') return undefined;
  const { requestId } = fields;
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > maxRequestIdLength) {
    return undefined;
  }
  return { requestId, fields };
}

/**
 * Parses an opened frame. The slim fields of a `send` are in its `body` and become those of the request, as if it had come
 * over HTTP. The frame's `headers` come from the client and do not count as identity.
 *
 * @throws CountersignError `invalid-request` for a type that is not the SDK's
 * @source H1, H3
 */
export function parseFrame(requestId: string, fields: Readonly<Record<string, unknown>>): ClientFrame {
  switch (fields.type) {
    case 'send':
      return { type: 'send', requestId, request: requestOf(fields) };
    case 'resume':
      return { type: 'resume', requestId, chatId: fields.id };
    case 'abort':
      return { type: 'abort', requestId };
    default:
      throw new CountersignError('invalid-request', 'A frame has the type send, resume or abort.');
  }
}

/** The SDK names the answered message even with a new message, so only the body can name an edited one. */
function requestOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, trigger, messageId, messages } = fields;
  // Other fields are for `callOptions`, as over HTTP.
  const body = isRecord(fields.body) ? fields.body : {};
  const { message, messageId: named } = body;
  const isAnotherId = trigger === 'submit-message' && isRecord(message) && message.id !== messageId;
  return { ...body, id, trigger, messageId: named ?? (isAnotherId ? undefined : messageId), messages };
}

export function formatFrame(frame: ServerFrame): string {
  return JSON.stringify(frame);
}
