import { route } from '../../../../_server/route.ts';

export const DELETE = route(({ approvals }) => approvals.run.DELETE);
export const OPTIONS = DELETE;
