import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.events.GET);
export const OPTIONS = GET;
