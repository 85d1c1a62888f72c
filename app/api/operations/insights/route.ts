import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.insights.GET);
export const OPTIONS = GET;
