import { z } from 'zod';
import type { WireObject } from '../wire-object.ts';

const messageChangedShape = { messageId: z.string() };

export const messageChangedSchema = z.object(messageChangedShape);

/**
 * An earlier message that has changed since its last response: the data of a transient `data-message-changed` part.
 *
 * @source S18, H8
 */
export type MessageChangedJson = WireObject<typeof messageChangedShape>;
