import type { z } from 'zod';
import type { NewMessage } from '../../../commands/requests.ts';
import {
  type AnswerRequest,
  type ChatId,
  CountersignError,
  isRecord,
  type MessageId,
  type OutputRequest,
} from '../../../protocol/index.ts';
import { assertSafeJson } from '../../../protocol/safe-json.ts';
import { parseDecision } from '../../../server/requests/answers.ts';
import { parseUserMessage } from '../../../server/requests/user-message.ts';
import { approvalOfId, chatOfId, toolCallOfId } from '../ids.ts';
import { newItemSchemas, type ResponsesRequest } from './request-schema.ts';

/** The new items of a request's input, and the chat that it belongs to. */
export type ReadInput = {
  /** Named by the last id of ours in it; `undefined`: no id of ours is in it. */
  readonly chatId?: ChatId;
  readonly message?: NewMessage;
  /** Of new system and developer messages. */
  readonly instructions: readonly string[];
  readonly answers: readonly AnswerRequest[];
  readonly outputs: readonly OutputRequest[];
};

type Content = z.infer<typeof newItemSchemas.message>['content'];

/**
 * Reads an input. Only items after the last item of the server are new: stateless clients repeat the whole chat, and the
 * server ignores that history.
 *
 * @throws CountersignError `invalid-request`, `payload-too-large`
 * @source C15, ADR 0014
 */
export function readInput(
  input: ResponsesRequest['input'],
  { messageId, maxBytes }: { messageId: MessageId; maxBytes: number },
): ReadInput {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const past = items.findLastIndex((item) => !isNew(item));
  const parts: unknown[] = [];
  const instructions: string[] = [];
  const answers: AnswerRequest[] = [];
  const outputs: OutputRequest[] = [];
  for (const item of items.slice(past + 1)) {
    const message = newItemSchemas.message.safeParse(item).data;
    if (message?.role === 'user') parts.push(...partsOf(message.content));
    else if (message) instructions.push(textOf(message.content));
    const answer = newItemSchemas.mcp_approval_response.safeParse(item).data;
    if (answer) {
      const approvalId = approvalOfId(answer.approval_request_id);
      answers.push({ approvalId, ...parseDecision({ approved: answer.approve, reason: answer.reason }) });
    }
    const output = newItemSchemas.function_call_output.safeParse(item).data;
    if (output) outputs.push({ toolCallId: toolCallOfId(output.call_id), output: outputOf(output.output) });
  }
  const chatId = items.map(chatOfItem).findLast((found) => found !== undefined);
  return {
    ...(chatId && { chatId }),
    ...(parts.length > 0 && {
      message: parseUserMessage({ id: messageId, role: 'user', parts }, maxBytes),
    }),
    instructions,
    answers,
    outputs,
  };
}

function isNew(item: unknown): boolean {
  return Object.values(newItemSchemas).some((schema) => schema.safeParse(item).success);
}

function chatOfItem(item: unknown): ChatId | undefined {
  if (!isRecord(item)) return undefined;
  return chatOfId(item.id) ?? chatOfId(item.approval_request_id) ?? chatOfId(item.call_id);
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** Parts in the form of all other entry points, for the same checks. */
function partsOf(content: Content): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => {
    switch (part.type) {
      case 'input_image':
        return fileOf(part.image_url, 'image/*');
      case 'input_file':
        return {
          ...fileOf(part.file_url ?? part.file_data, 'application/octet-stream'),
          ...(part.filename ? { filename: part.filename } : {}),
        };
      default:
        return { type: 'text', text: part.text };
    }
  });
}

function fileOf(url: string | null | undefined, fallback: string) {
  if (!url) {
    throw new CountersignError(
      'invalid-request',
      'A file must be given as a base64 `data:` URL or an `https:` URL; ids of uploaded files are not known here.',
    );
  }
  const [, mediaType = fallback] = /^data:([^;,]+)/i.exec(url) ?? [];
  return { type: 'file', url, mediaType };
}

/** Clients send structured outputs as JSON. Other text is the output itself. */
function outputOf(output: z.infer<typeof newItemSchemas.function_call_output>['output']): unknown {
  const text = typeof output === 'string' ? output : output.map((part) => part.text).join('\n');
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    assertSafeJson(value, 'The output');
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
