import { route } from '../../../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.toolResult.GET);
export const OPTIONS = GET;
