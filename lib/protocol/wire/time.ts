import { z } from 'zod';

/** A moment: ISO 8601 in UTC. Texts compare as times do. @source S1 */
export const timeSchema = z.iso.datetime();

/** A duration in milliseconds. @source S1 */
export const millisecondsSchema = z.number().nonnegative();
