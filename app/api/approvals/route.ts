import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.approvals.GET);
export const POST = route(({ approvals }) => approvals.approvals.POST);
export const OPTIONS = GET;
