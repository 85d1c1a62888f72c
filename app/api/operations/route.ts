import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.operations.GET);
export const OPTIONS = GET;
