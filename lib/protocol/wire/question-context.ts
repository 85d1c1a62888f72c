import { z } from 'zod';
import type { WireObject } from './wire-object.ts';

const contextShape = {
  /** The asker's last message: at most 2,000 characters, without the call's secrets. */
  message: z.string().optional(),
  /** The model's text before the call, with the same limits. */
  said: z.string().optional(),
  /** Whether this person may open the chat. */
  maySeeChat: z.boolean(),
};

export const contextSchema = z.object(contextShape);

/** Why a question is asked. @source S8 */
export type ContextJson = WireObject<typeof contextShape>;
