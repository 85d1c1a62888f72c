import { route } from '../../../_server/route.ts';

export const GET = route(({ approvals }) => approvals.deliveries.GET);
export const OPTIONS = GET;
