import { route } from '../../../../../_server/route.ts';

export const POST = route(({ approvals }) => approvals.delivery.POST);
export const OPTIONS = POST;
