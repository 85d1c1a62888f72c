import { z } from 'zod';
import type { NewMessage } from '../../commands/requests.ts';
import { faultOfFileUrl } from '../../protocol/file-url.ts';
import { CountersignError, isRecord, parseMessageId, toJson, type UserPart } from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';
import { runtime } from '../../runtime/runtime.ts';
import { parseRequest } from './parse-request.ts';
import { tooLarge } from './read-text.ts';

const typeError = 'A part of the new message has no type.';
const roleError = 'The new message must have the role `user`.';
const partsError = 'The new message must have parts.';

/** The new message of a chat request. @source H1 */
export const userMessageSchema = z.looseObject(
  {
    id: z.string(),
    metadata: z.unknown().optional(),
    role: z.literal('user', { error: roleError }),
    parts: z.array(z.looseObject({ type: z.string({ error: typeError }) }, { error: typeError }), {
      error: partsError,
    }),
  },
  { error: roleError },
);

type MessagePart = z.infer<typeof userMessageSchema>['parts'][number];

const maxParts = 64;
const maxNameLength = 255;

const allowedUrls = 'Send the file as a base64 `data:` URL, or give an `https:` URL.';

const mediaTypePattern = /^[a-z0-9][\w.+-]*(\/[\w.+*-]+)?$/i;

/**
 * Parses a new user message: its id, its metadata, and its text, file and data parts. Everything else is dropped. Metadata and
 * data parts are for the client only: they are stored, and the model does not see them.
 *
 * @param maxBytes the total size of all texts, URLs, data and metadata, in UTF-8
 * @throws CountersignError `invalid-request`, or `payload-too-large`
 * @source H1
 */
export function parseUserMessage(value: unknown, maxBytes: number): NewMessage {
  const given = isRecord(value) ? value : {};
  // Checked first: a body has room for a million parts, and parsing them takes a second.
  if (Array.isArray(given.parts) && given.parts.length > maxParts) {
    throw refuse(`The new message has more than ${maxParts} parts.`);
  }
  const id = parseMessageId(given.id);
  const message = parseRequest(userMessageSchema, given);
  const parts = message.parts.flatMap((part) => parsePart(part) ?? []);
  const forModel = parts.some(({ type }) => type === 'text' || type === 'file');
  if (!forModel) throw refuse('The new message is empty. Send text or a file.');
  const { metadata = null } = message;
  assertSafeJson(metadata, 'The metadata of the new message');
  const size = sizeOf(parts) + (metadata === null ? 0 : runtime.utf8Length(JSON.stringify(metadata)));
  if (size > maxBytes) throw tooLarge(maxBytes, 'The new message, with its files as base64,', 'messageBytes');
  return { id, parts, metadata: metadata !== null ? toJson(metadata) : undefined };
}

function parsePart(part: MessagePart): UserPart | undefined {
  if (part.type === 'text') return parseText(part);
  if (part.type === 'file') return parseFile(part);
  if (isDataType(part.type)) return parseData(part.type, part);
  throw refuse('A user message may contain only text, file and data parts.');
}

function isDataType(type: string): type is `data-${string}` {
  return type.startsWith('data-');
}

function parseData(type: `data-${string}`, { id, data = null }: Record<string, unknown>): UserPart {
  if (type.length > maxNameLength) {
    throw refuse(`The type of a data part has at most ${maxNameLength} characters.`);
  }
  if (id !== undefined && (typeof id !== 'string' || id.length > maxNameLength)) {
    throw refuse(`The id of a data part must be a string of at most ${maxNameLength} characters.`);
  }
  assertSafeJson(data, 'A data part');
  return { type, id, data: toJson(data) };
}

function parseText({ text }: Record<string, unknown>): UserPart | undefined {
  if (typeof text !== 'string') throw refuse('A text part must have a text.');
  // Providers refuse texts of white space.
  if (text.trim() === '') return undefined;
  // An unpaired surrogate cannot be stored as UTF-8.
  return { type: 'text', text: text.toWellFormed() };
}

function parseFile({ url, mediaType, filename }: Record<string, unknown>): UserPart {
  if (typeof url !== 'string') throw refuse(`A file has no URL. ${allowedUrls}`);
  const fault = faultOfFileUrl(url);
  if (fault !== undefined) throw refuse(`${fault} ${allowedUrls}`);
  if (
    typeof mediaType !== 'string' ||
    mediaType.length > maxNameLength ||
    !mediaTypePattern.test(mediaType)
  ) {
    throw refuse('A file must have a media type, such as image/png.');
  }
  if (filename === undefined) return { type: 'file', url, mediaType };
  if (typeof filename !== 'string' || filename.length > maxNameLength) {
    throw refuse(`A file name must be a string of at most ${maxNameLength} characters.`);
  }
  return { type: 'file', url, mediaType, filename: filename.toWellFormed() };
}

function sizeOf(parts: readonly UserPart[]): number {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'file' ? part.url : JSON.stringify(part.data);
  });
  return texts.reduce((sum, text) => sum + runtime.utf8Length(text), 0);
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
