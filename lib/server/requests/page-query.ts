import { CountersignError } from '../../protocol/index.ts';

const maxLimit = 100;
const maxCursorLength = 512;

/** Parses `cursor` and `limit` (1-100). @throws CountersignError `invalid-request` */
export function pageQuery(query: URLSearchParams): { cursor?: string; limit?: number } {
  const cursor = query.get('cursor');
  const limit = query.get('limit');
  if (cursor !== null && cursor.length > maxCursorLength) throw refuse('The cursor is invalid.');
  if (limit !== null && !isLimit(limit)) throw refuse(`\`limit\` must be a number from 1 to ${maxLimit}.`);
  return { cursor: cursor || undefined, limit: limit !== null ? Number(limit) : undefined };
}

function isLimit(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit;
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
