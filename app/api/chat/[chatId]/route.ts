import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.chat.GET);
export const PATCH = route(({ approvals }) => approvals.chat.PATCH);
export const DELETE = route(({ approvals }) => approvals.chat.DELETE);
export const OPTIONS = GET;
