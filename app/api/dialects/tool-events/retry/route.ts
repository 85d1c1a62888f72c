import { route } from '../../../../_server/route.ts';

export const POST = route(({ toolEvents }) => toolEvents.POST);
export const OPTIONS = POST;
