import { route } from '../../../../_server/route.ts';

export const POST = route(({ approvals }) => approvals.approvalPreview.POST);
export const OPTIONS = POST;
