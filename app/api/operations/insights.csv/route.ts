import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.insightsCsv.GET);
export const OPTIONS = GET;
