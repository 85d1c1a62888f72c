import { z } from 'zod';
import type { Immutable } from '../wire-object.ts';

export const messageChangedSchema = z.object({ messageId: z.string() });

/**
 * An earlier message that has changed since its last response: the data of a transient `data-message-changed` part.
 *
 * @source S18, H8
 */
export type MessageChangedJson = Immutable<z.infer<typeof messageChangedSchema>>;
