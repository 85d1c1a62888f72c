import type { Operation, Part } from '../../../flow/plugin/open-api.ts';
import type { ErrorCode } from '../../../protocol/index.ts';
import { type JsonSchema, json, ref } from '../../../server/documents/operations.ts';
import { statusOf } from '../../../server/errors.ts';

/** Codes that every guarded operation may answer with. @source H-Errors */
const everywhere: readonly ErrorCode[] = [
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'internal',
  'unavailable',
];

const statusText: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'Nobody is signed in, or the credentials are wrong.',
  403: 'Not allowed.',
  404: "Unknown, or another person's.",
  409: 'The state of the chat or question does not allow this. The code says why.',
  413: 'The body or message is over the limit.',
  422: 'The key was used with another body.',
  429: 'Too many requests. `retry-after` says how many seconds to wait.',
  500: 'No details are available.',
  501: 'A plugin that the question needs is missing on this instance.',
  503: 'The registry of sessions cannot be reached.',
};

/** The refusals of an operation by status. @param form the schema of an error @source C16, H-Errors */
export function refusalsOf(path: string, { refusals = [], requestBody }: Operation, form = 'Error'): Part {
  if (refusals === 'none') return {};
  const codes = new Set([
    ...everywhere,
    ...(path.includes('{') ? ['not-found' as const] : []),
    ...(requestBody === undefined ? [] : ['payload-too-large' as const]),
    ...refusals,
  ]);
  const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return {
    ...Object.fromEntries(
      sorted.map(([status, codes]) => [status, json(statusText[status] ?? '', errorOf(form, codes))]),
    ),
    default: json('Refused: the code says why.', ref(form)),
  };
}

/** An error whose code is one of these. */
function errorOf(form: string, codes: readonly ErrorCode[]): JsonSchema {
  const code = { type: 'object', properties: { code: { enum: codes } } };
  return { allOf: [ref(form), { type: 'object', properties: { error: code } }] };
}
