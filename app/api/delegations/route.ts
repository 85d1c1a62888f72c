import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.delegations.GET);
export const POST = route(({ approvals }) => approvals.delegations.POST);
export const OPTIONS = GET;
