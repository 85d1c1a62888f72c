import { route } from '../../_server/route.ts';

/** The sessions of the person who asks, the newest first. */
export const GET = route(({ sessions }) => sessions.sessions.GET);
export const OPTIONS = GET;
