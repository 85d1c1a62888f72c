import { route } from '../../../_server/route.ts';

/** Ends one of them, on all instances. */
export const DELETE = route(({ sessions }) => sessions.session.DELETE);
export const OPTIONS = DELETE;
