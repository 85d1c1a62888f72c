import { route } from '../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.people.GET);
export const OPTIONS = GET;
