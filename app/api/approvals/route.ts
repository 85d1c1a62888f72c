import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.approvals.GET);
export const OPTIONS = GET;
