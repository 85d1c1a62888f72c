import { CountersignError } from '../../protocol/errors/errors.ts';
import { type ErrorCode, errorFacts } from '../../protocol/index.ts';
import { hostOf } from '../../server/guard.ts';
import { guardForm } from './guard-form.ts';
import { answerByForm } from './link-answer.ts';
import type { LinkNotice } from './link-words.ts';
import { type LinkServer, openLink, questionOf, shownQuestion } from './open-link.ts';
import { pageResponse } from './page/document.ts';
import { noticePage } from './page/notice.ts';

/** The notice for each expected error. Every other error is logged, and its details are not shown. */
const notices: Partial<Record<ErrorCode, LinkNotice>> = {
  'not-found': 'unavailable-question',
  forbidden: 'foreign-form',
  'invalid-request': 'foreign-form',
  'payload-too-large': 'too-large',
  'rate-limited': 'rate-limited',
};

/** Serves one GET, HEAD or POST request for a link. Never rejects. Only POST can answer. */
export async function serveLink(server: LinkServer, request: Request): Promise<Response> {
  const response = await respond(server, request).catch((error: unknown) => refusal(server, request, error));
  if (request.method !== 'HEAD') return response;
  await response.body?.cancel();
  return new Response(null, response);
}

async function respond(server: LinkServer, request: Request): Promise<Response> {
  const { settings, words, limits } = server;
  const { baseUrl, allowedHosts = [new URL(baseUrl).host] } = settings;
  guardForm(request, { allowedHosts });
  const address = settings.addressOf?.(request);
  if (address !== undefined) limits.takeAddress(address);
  const opened = await openLink(server, request);
  if ('notice' in opened) return pageResponse(noticePage(opened.notice, words, opened), words);
  if (request.method === 'POST') return answerByForm(server, opened, request);
  return shownQuestion(server, opened, await questionOf(server, opened));
}

/** The page for an error. */
function refusal({ words, kernel }: LinkServer, request: Request, error: unknown): Response {
  const code = CountersignError.is(error) ? error.code : 'internal';
  // Only a form can be foreign. Opening a link is forbidden at a host that is not allowed.
  const isAnotherHost = code === 'forbidden' && request.method !== 'POST';
  if (isAnotherHost) {
    const facts = { host: hostOf(request) };
    kernel.logger.warn('An answer link was opened at a host that is not allowed.', facts);
  }
  const notice = isAnotherHost ? 'unknown' : (notices[code] ?? 'failed');
  if (notice === 'failed') kernel.logger.error('An answer link failed.', { error: errorFacts(error) });
  const { retryAfterMs } = CountersignError.is(error) ? error.fields : {};
  const seconds = typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : undefined;
  const page = noticePage(notice, words, {});
  const status = code === 'unavailable' ? 503 : page.status;
  return pageResponse(
    { ...page, status, headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } },
    words,
  );
}
