import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.remembered.GET);
export const OPTIONS = GET;
