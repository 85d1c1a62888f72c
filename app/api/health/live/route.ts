import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.live.GET);
export const OPTIONS = GET;
