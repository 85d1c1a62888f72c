import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError, isRecord, parseChatId } from '../protocol/index.ts';
import { isoTime } from './errors.ts';
import { pageQuery } from './page-query.ts';
import { questionJson } from './question-json.ts';
import { createRoute, type Route, type ServerSettings, type Visit } from './route.ts';

const maxTitleLength = 200;

/** `GET /api/chat`: one's chats, last changed first. @source contract H4, S */
export function listChats(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const page = await flow.chats({ principal, ...pageQuery(query) });
    const chats = page.items.map(({ id, title, updatedAt, openCount }) => ({
      id,
      title,
      updatedAt: isoTime(updatedAt),
      open: openCount,
    }));
    return Response.json({ chats, nextCursor: page.next });
  });
}

/** `GET /api/chat/{chatId}`: the stored chat, as this person may see it. @source contract H4 */
export function readChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const { questions, ...chat } = await flow.chat({ principal, chatId: parseChatId(segment(0)) });
    return Response.json({ ...chat, questions: questions.map(questionJson) });
  });
}

/** `PATCH /api/chat/{chatId} { title }`: renames it. @source contract H4 */
export function renameChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const id = parseChatId(segment(0));
    const title = parseTitle(await json());
    await flow.rename({ principal, chatId: id, title });
    return Response.json({ id, title });
  });
}

/** `DELETE /api/chat/{chatId}`: erases chat, log and results. @source contract H4 */
export function eraseChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    await flow.erase({ principal, chatId: parseChatId(segment(0)) });
    return new Response(null, { status: 204 });
  });
}

/** `DELETE /api/chat/{chatId}/run`: stops the run, or withdraws the open question. @source contract H5 */
export function stopRun(flow: ApprovalFlow, settings: ServerSettings): Route {
  const handle = async ({ principal, segment }: Visit) => {
    await flow.stop({ principal, chatId: parseChatId(segment(1)) });
    return new Response(null, { status: 204 });
  };
  return createRoute(settings, handle, 'uncounted');
}

/**
 * `GET /api/chat/{chatId}/audit`: the sealed record of what was asked, answered and run. With
 * `Accept: application/x-ndjson` one entry a line, then `{ head }`: what to note, and to check it against later. `faults` beside it
 * says what of the log has no valid seal.
 *
 * @source contract S
 */
export function readAudit(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, request, segment }) => {
    const { entries, head, faults } = await flow.audit({ principal, chatId: parseChatId(segment(1)) });
    if (!request.headers.get('accept')?.includes('application/x-ndjson'))
      return Response.json({ entries, head, faults });
    const end = faults.length === 0 ? { head } : { head, faults };
    const lines = [...entries, end].map((line) => `${JSON.stringify(line)}\n`);
    return new Response(lines.join(''), { headers: { 'content-type': 'application/x-ndjson' } });
  });
}

function parseTitle(body: unknown): string {
  const title = isRecord(body) && typeof body.title === 'string' ? body.title.trim().toWellFormed() : '';
  if (title.length >= 1 && title.length <= maxTitleLength) return title;
  throw new CountersignError('invalid-request', `A title has 1 to ${maxTitleLength} characters.`);
}
