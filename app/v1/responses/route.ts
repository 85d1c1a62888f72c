import { route } from '../../_server/route.ts';

export const POST = route(({ responses }) => responses.POST);
export const OPTIONS = POST;
