import { route } from '../../../_server/route.ts';

export const DELETE = route(({ approvals }) => approvals.delegation.DELETE);
export const OPTIONS = DELETE;
