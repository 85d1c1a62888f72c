import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { ChatView } from '../../flow/methods/chats.ts';
import type { AuthorizedRequest, Route } from '../../flow/plugin/http.ts';
import { parseChatId } from '../../protocol/index.ts';
import type { chatSchema } from '../../protocol/wire/chat/stored-chat.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import { isoTime } from '../errors.ts';
import { pageQuery } from '../requests/page-query.ts';
import { parseRequest } from '../requests/parse-request.ts';
import { createRoute, type ServerSettings } from '../route.ts';

const maxTitleLength = 200;
const titleError = `A title has 1 to ${maxTitleLength} characters.`;

export const chatsSchema = z.object({
  chats: z.array(
    z.object({ id: z.string(), title: z.string(), updatedAt: timeSchema, open: z.int().nonnegative() }),
  ),
  nextCursor: z.string().optional(),
});

export const titleSchema = z.object(
  {
    title: z
      .string({ error: titleError })
      .trim()
      .min(1, { error: titleError })
      .max(maxTitleLength, { error: titleError }),
  },
  { error: titleError },
);

type ChatsJson = Immutable<z.infer<typeof chatsSchema>>;

type ChatJson = Immutable<Omit<z.infer<typeof chatSchema>, 'messages'>> & Pick<ChatView, 'messages'>;

/** `GET /api/chat`: the principal's chats, last changed first. @source H4, S9 */
export function listChats(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const page = await flow.chats.list({ principal, ...pageQuery(query) });
    const chats = page.items.map(({ id, title, updatedAt, openCount }) => ({
      id,
      title,
      updatedAt: isoTime(updatedAt),
      open: openCount,
    }));
    return Response.json({ chats, nextCursor: page.next } satisfies ChatsJson);
  });
}

/** `GET /api/chat/{chatId}`: the stored chat, as visible to this person. @source H4 */
export function readChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const { questions, ...chat } = await flow.chats.read({ principal, chatId: parseChatId(segment(0)) });
    return Response.json({ ...chat, questions: questions.map(questionJson) } satisfies ChatJson);
  });
}

/** `PATCH /api/chat/{chatId} { title }`: renames it. @source H4 */
export function renameChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const id = parseChatId(segment(0));
    const title = parseRequest(titleSchema, await json()).title.toWellFormed();
    await flow.chats.rename({ principal, chatId: id, title });
    return Response.json({ id, title });
  });
}

/** `DELETE /api/chat/{chatId}`: erases chat, log and results. @source H4 */
export function eraseChat(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    await flow.chats.erase({ principal, chatId: parseChatId(segment(0)) });
    return new Response(null, { status: 204 });
  });
}

/** `DELETE /api/chat/{chatId}/run`: stops the run, or withdraws the open question. @source H5 */
export function stopRun(flow: ApprovalFlow, settings: ServerSettings): Route {
  const handle = async ({ principal, segment }: AuthorizedRequest) => {
    await flow.chats.stop({ principal, chatId: parseChatId(segment(1)) });
    return new Response(null, { status: 204 });
  };
  return createRoute(settings, handle, 'uncounted');
}
