import { route } from '../../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.audit.GET);
export const OPTIONS = GET;
