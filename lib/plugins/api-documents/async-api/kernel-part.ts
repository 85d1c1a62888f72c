import { z } from 'zod';
import { questionSchema } from '../../../protocol/wire/question.ts';
import type { AsyncApiPart } from '../../../server/documents/async-api.ts';
import { donePayload, eventLine, idLine, linesOf } from '../../../server/documents/lines.ts';
import {
  draftPartSchema,
  lifecyclePartSchema,
  messageChangedPartSchema,
  toolInputPartSchema,
} from '../data-parts.ts';
import { bidiClientFrameSchemas, bidiServerFrameSchemas } from './bidi-frames.ts';

/** What the document says about the kernel. */
export const kernelPart: AsyncApiPart = {
  groups: {
    'bidi.client': { payloads: bidiClientFrameSchemas },
    'bidi.server': { payloads: bidiServerFrameSchemas },
    'ui-stream': {
      payloads: {
        chunk: z.looseObject({ type: z.string() }).describe("A chunk of the AI SDK's UI message stream."),
        'data-tool-lifecycle': lifecyclePartSchema,
        'data-draft': draftPartSchema,
        'data-tool-input': toolInputPartSchema,
        'data-message-changed': messageChangedPartSchema,
        ...donePayload,
      },
    },
    approvals: {
      payloads: { opened: questionSchema, settled: questionSchema },
      lines: (name) => linesOf({ ...idLine, ...eventLine(name) }, ['event']),
    },
  },
  channels: {
    bidi: {
      address: '/api/chat/socket',
      description: 'Chats over a WebSocket, in the frames of `WebSocketChatTransport` of the AI SDK.',
      method: 'GET',
      sends: 'bidi.server',
      receives: 'bidi.client',
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
    approvals: {
      address: '/api/approvals/events',
      description: 'Questions as they open and settle. The first frame has only an id.',
      method: 'GET',
      sends: 'approvals',
    },
  },
};
