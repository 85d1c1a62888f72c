import type { z } from 'zod';
import {
  type AnswerRequest,
  type ChatId,
  CountersignError,
  isRecord,
  type OutputRequest,
} from '../../../protocol/index.ts';
import { assertSafeJson } from '../../../protocol/safe-json.ts';
import { parseAnswer } from '../../../server/requests/answers.ts';
import { approvalOfId, chatOfId, toolCallOfId } from '../ids.ts';
import { newItemSchemas, type ResponsesRequest } from './request-schema.ts';

/** What one side said in an input: a part of a user message, in the form of all other entry points, or a text. */
export type Speech =
  | { readonly role: 'user'; readonly part: SpokenPart }
  | { readonly role: 'assistant'; readonly text: string };

/** A part of a user message. It is not checked yet. */
export type SpokenPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file';
      readonly url: string;
      readonly mediaType: string;
      readonly filename?: string;
    };

/** The items of a request's input, and the chat that their ids name. */
export type ReadInput = {
  /** Named by the last id of ours in it; `undefined`: no id of ours is in it. */
  readonly chatId?: ChatId;
  /** Everything that was said, in order. */
  readonly speeches: readonly Speech[];
  /** Where in `speeches` the part begins that follows the last item of the server. */
  readonly tail: number;
  /** Of all system and developer messages. */
  readonly instructions: readonly string[];
  /** Only those that follow the last item of the server. */
  readonly answers: readonly AnswerRequest[];
  readonly outputs: readonly OutputRequest[];
};

type Content = z.infer<typeof newItemSchemas.message>['content'];

/**
 * Reads an input. Answers and outputs are new only after the last item of the server: what a client says about earlier
 * calls has no effect.
 *
 * @throws CountersignError `invalid-request`
 * @source C15, ADR 0014
 */
export function readInput(input: ResponsesRequest['input']): ReadInput {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const past = items.findLastIndex((item) => !isNew(item));
  const speeches: Speech[] = [];
  const instructions: string[] = [];
  const answers: AnswerRequest[] = [];
  const outputs: OutputRequest[] = [];
  let tail = 0;
  for (const [index, item] of items.entries()) {
    const message = newItemSchemas.message.safeParse(item).data;
    if (message?.role === 'user') {
      speeches.push(...partsOf(message.content).map((part) => ({ role: 'user' as const, part })));
    } else if (message) instructions.push(textOf(message.content));
    else if (isRecord(item) && item.role === 'assistant') {
      speeches.push({ role: 'assistant', text: textOf(item.content) });
    }
    if (index <= past) {
      tail = speeches.length;
      continue;
    }
    const answer = newItemSchemas.mcp_approval_response.safeParse(item).data;
    if (answer) {
      const approvalId = approvalOfId(answer.approval_request_id);
      answers.push({ approvalId, ...parseAnswer({ approved: answer.approve, reason: answer.reason }) });
    }
    const output = newItemSchemas.function_call_output.safeParse(item).data;
    if (output) outputs.push({ toolCallId: toolCallOfId(output.call_id), output: outputOf(output.output) });
  }
  const chatId = items.map(chatOfItem).findLast((found) => found !== undefined);
  return { chatId, speeches, tail, instructions, answers, outputs };
}

function isNew(item: unknown): boolean {
  return Object.values(newItemSchemas).some((schema) => schema.safeParse(item).success);
}

function chatOfItem(item: unknown): ChatId | undefined {
  if (!isRecord(item)) return undefined;
  return chatOfId(item.id) ?? chatOfId(item.approval_request_id) ?? chatOfId(item.call_id);
}

/** The text of a content that may be of any kind. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

/** Parts in the form of all other entry points, for the same checks. */
function partsOf(content: Content): SpokenPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => {
    switch (part.type) {
      case 'input_image':
        return fileOf(part.image_url, 'image/*');
      case 'input_file':
        return {
          ...fileOf(part.file_url ?? part.file_data, 'application/octet-stream'),
          filename: part.filename || undefined,
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
  return { type: 'file' as const, url, mediaType };
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
