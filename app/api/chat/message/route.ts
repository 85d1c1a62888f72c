import { route } from '../../../_server/route.ts';

export const POST = route(({ twoStep }) => twoStep.message.POST);
export const OPTIONS = POST;
