import { checkSettings, wholeNumber } from '../../protocol/settings.ts';
import type { Dialect } from '../../server/dialect.ts';
import { chatSocketAsyncApi, chatSocketOpenApi } from './documents.ts';
import { createChatSocket } from './session.ts';
import type { ChatSocketSettings } from './settings.ts';

export {
  clientFrameSchema,
  clientFrameSchemas,
  errorCodeSchema,
  serverFrameSchema,
  serverFrameSchemas,
} from './client/schema.ts';
export type { ChatSocketSettings } from './settings.ts';

/**
 * Chats over a WebSocket, in JSON frames, for clients without the AI SDK.
 *
 * @throws CountersignError `invalid-settings`
 * @example createUpgradeHandler(flow, { authorize, dialects: [chatSocket()] })
 * @source D1-D26
 */
export function chatSocket(settings: ChatSocketSettings = {}): Dialect {
  checkSettings('chatSocket', settings, { maxResultBytes: wholeNumber(1) });
  return {
    name: 'chatSocket',
    sockets: (flow, server) => [
      { path: '/dialects/chat-socket', open: createChatSocket(flow, { ...server, ...settings }) },
    ],
    openApi: chatSocketOpenApi,
    asyncApi: chatSocketAsyncApi,
  };
}
