import { isRecord } from '../../protocol/index.ts';

/** What `fetch` says without a reason; the reason is in the causes of its error. */
const bareFailure = /^(fetch failed|failed to fetch|terminated|network ?error)\.?$/i;

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'The service refused the connection.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'The address of the service was not found.'],
  [/TIMEOUT|ETIMEDOUT|TimeoutError/, 'The service did not answer in time.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection to the service was lost.'],
];
const unreachable = 'The service could not be reached.';

const stack = /\n\s*at [\s\S]*$/;
const paths = [
  /\bfile:\/\/[^\s'")]+/g,
  /(?<![\w])[A-Za-z]:\\[^\s'")]+/g,
  // Not of a URL, and not the path of an HTTP request.
  /(?<![\w:./~-]|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) )\/(?:[\w.@+-]+\/)+[\w.@+-]+(?::\d+(?::\d+)?)?/g,
];

/** A sentence for people and for the model: no stack, no path of a file, and the reason of a failed request. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  if (bareFailure.test(text.trim())) return reasonOf(error);
  return safeText(text) || 'The tool failed.';
}

/** An error's text without its stack and without the paths of files. @source A8 */
export function safeText(text: string): string {
  return paths
    .reduce((rest, path) => rest.replace(path, '[path]'), text.replace(stack, ''))
    .trim()
    .toWellFormed();
}

function reasonOf(error: unknown): string {
  for (let cause = error, depth = 0; isErrorLike(cause) && depth < 5; cause = cause.cause, depth += 1) {
    const { code, name } = cause;
    const known = reasons.find(([marks]) => marks.test(String(code ?? '')) || marks.test(String(name ?? '')));
    if (known) return known[1];
  }
  return unreachable;
}

/** An error, or an object in the place of one. */
export function isErrorLike(value: unknown): value is Record<string, unknown> {
  return value instanceof Error || isRecord(value);
}
