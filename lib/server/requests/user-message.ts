import { z } from 'zod';
import type { NewMessage } from '../../commands/requests.ts';
import { CountersignError, isRecord, parseMessageId, type UserPart } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { parseRequest } from './parse-request.ts';
import { tooLarge } from './read-json.ts';

const typeError = 'A part of the new message has no type.';
const roleError = 'The new message must have the role `user`.';
const partsError = 'The new message must have parts.';

/** The new message of a chat request. @source H1 */
export const userMessageSchema = z.looseObject(
  {
    id: z.string(),
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

/** A full media type, or only its first segment, as in the SDK's file parts. */
const mediaTypePattern = /^[a-z0-9][\w.+-]*(\/[\w.+*-]+)?$/i;

/**
 * Parses a new user message: its id, its text parts and its file parts. Everything else is dropped, including
 * data parts, which only the client uses.
 *
 * @param maxBytes the total size of all texts and URLs, in UTF-8
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
  if (parts.length === 0) throw refuse('The new message is empty. Send text or a file.');
  if (sizeOf(parts) > maxBytes) throw tooLarge(maxBytes, 'The new message');
  return { id, parts };
}

function parsePart(part: MessagePart): UserPart | undefined {
  if (part.type === 'text') return parseText(part);
  if (part.type === 'file') return parseFile(part);
  if (part.type.startsWith('data-')) return undefined;
  throw refuse('A user message may contain only text and file parts.');
}

function parseText({ text }: Record<string, unknown>): UserPart | undefined {
  if (typeof text !== 'string') throw refuse('A text part must have a text.');
  // An unpaired surrogate cannot be stored as UTF-8.
  return text === '' ? undefined : { type: 'text', text: text.toWellFormed() };
}

function parseFile({ url, mediaType, filename }: Record<string, unknown>): UserPart {
  if (typeof url !== 'string' || !isAllowedUrl(url)) {
    throw refuse('A file must be given as a `data:` or `https:` URL.');
  }
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

/** With other schemes a message could name files of the server (`file:`) or addresses in its network (`http:`). */
function isAllowedUrl(url: string): boolean {
  if (/^data:[^,]*,/i.test(url)) return true;
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function sizeOf(parts: readonly UserPart[]): number {
  const texts = parts.map((part) => (part.type === 'text' ? part.text : part.url));
  return texts.reduce((sum, text) => sum + runtime.utf8Length(text), 0);
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
