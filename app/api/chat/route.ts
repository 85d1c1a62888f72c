import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.chats.GET);
export const POST = route(({ sse }) => sse.chat.POST);
export const OPTIONS = GET;
