import { route } from '../../../../_server/route.ts';

export const GET = route(({ toolEvents }) => toolEvents.GET);
export const OPTIONS = GET;
