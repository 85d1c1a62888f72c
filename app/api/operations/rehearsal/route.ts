import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.rehearsal.GET);
export const OPTIONS = GET;
