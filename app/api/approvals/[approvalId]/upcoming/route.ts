import { route } from '../../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.approvalUpcoming.GET);
export const POST = route(({ approvals }) => approvals.approvalUpcoming.POST);
export const OPTIONS = GET;
