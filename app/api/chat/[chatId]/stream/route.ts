import { route } from '../../../../_server/route.ts';

export const GET = route(({ sse }) => sse.stream.GET);
export const OPTIONS = GET;
