import { route } from '../../../../_server/route.ts';

export const GET = route(({ twoStep }) => twoStep.stream.GET);
export const OPTIONS = GET;
