import { route } from '../../../_server/route.ts';

export const DELETE = route(({ approvals }) => approvals.rememberedOne.DELETE);
export const OPTIONS = DELETE;
