import { route } from '../../_server/route.ts';

/** The sessions of whoever asks, the newest first. */
export const GET = route(({ sessions }) => sessions.sessions.GET);
