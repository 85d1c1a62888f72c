import { route } from '../../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.timeline.GET);
export const OPTIONS = GET;
