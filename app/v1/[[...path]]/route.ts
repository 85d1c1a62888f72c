import { route } from '../../_server/route.ts';

export const GET = route(({ responses }) => responses.all);
export const POST = GET;
export const DELETE = GET;
export const PATCH = GET;
export const PUT = GET;
export const OPTIONS = GET;
