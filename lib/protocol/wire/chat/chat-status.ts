import { z } from 'zod';

export const chatStatusSchema = z.enum(['idle', 'active', 'waiting', 'failed']);

/**
 * `idle`: nothing is running; `active`: a run is in progress; `waiting`: a person or a client must act;
 * `failed`: the last run failed.
 *
 * @source H4
 */
export type ChatStatus = z.infer<typeof chatStatusSchema>;
