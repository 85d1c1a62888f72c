import { route } from '../../_server/route.ts';

export const GET = route(({ api }) => api);
export const POST = GET;
export const PUT = GET;
export const PATCH = GET;
export const DELETE = GET;
export const OPTIONS = GET;
