import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.ready.GET);
export const OPTIONS = GET;
