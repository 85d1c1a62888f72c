import { route } from '../../../../../_server/route.ts';

export const POST = route(({ approvals }) => approvals.outcome.POST);
export const OPTIONS = POST;
