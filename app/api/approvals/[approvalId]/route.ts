import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.approval.GET);
export const POST = route(({ approvals }) => approvals.approval.POST);
export const OPTIONS = GET;
