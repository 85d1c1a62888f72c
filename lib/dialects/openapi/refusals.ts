import type { ErrorCode } from '../../protocol/index.ts';
import { statusOf } from '../../server/errors.ts';
import { type JsonSchema, json, type Operation, type Part, ref } from '../../server/openapi/operations.ts';

/** Codes that every guarded operation may answer with. @source H-Errors */
const everywhere: readonly ErrorCode[] = [
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'internal',
  'unavailable',
];

const answering: readonly ErrorCode[] = [
  'step-up-required',
  'superseded',
  'expired',
  'input-mismatch',
  'preview-changed',
  'paused',
];

/** What else an operation may answer with, by its id. */
const more: Readonly<Record<string, readonly ErrorCode[]>> = {
  respond: ['not-found', 'run-active', ...answering],
  resolveOutcome: ['already-answered', 'run-active'],
  answerApproval: ['already-answered', 'question-changed', ...answering],
  requestApproval: ['run-active', 'key-reused'],
  approveUpcoming: ['question-changed', ...answering],
  readOperations: ['not-found'],
  listDeliveries: ['not-found'],
  readConversation: ['not-found'],
  followConversation: ['not-found'],
  readConversationResult: ['not-found'],
  retryToolCall: ['not-found', 'run-active'],
  toolEvents: ['not-found', 'run-active'],
  sendMessage: ['not-found', 'run-active', 'input-mismatch'],
  createResponse: [
    'not-found',
    'run-active',
    'already-answered',
    'question-changed',
    'key-reused',
    ...answering,
  ],
};

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
  503: 'The registry of sessions cannot be reached.',
};

/** The refusals of an operation by status. The probes refuse nobody. @source C16, H-Errors */
export function refusalsOf(path: string, { operationId, requestBody }: Operation): Part {
  if (path.startsWith('/api/health/')) return {};
  const form = path.startsWith('/v1/') ? 'ResponsesError' : 'Error';
  const codes = new Set([
    ...everywhere,
    ...(path.includes('{') ? ['not-found' as const] : []),
    ...(requestBody === undefined ? [] : ['payload-too-large' as const]),
    ...(more[String(operationId)] ?? []),
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
function errorOf(form: 'Error' | 'ResponsesError', codes: readonly ErrorCode[]): JsonSchema {
  const code = { type: 'object', properties: { code: { enum: codes } } };
  return { allOf: [ref(form), { type: 'object', properties: { error: code } }] };
}
