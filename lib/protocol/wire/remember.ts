import { z } from 'zod';
import type { WireObject } from './wire-object.ts';

const scopeError = '`remember.scope` must be chat or me.';
const matchError = '`remember.match` must be tool or exact-arguments.';

const rememberShape = {
  /** In this chat, or in all chats of the person who answers. */
  scope: z.enum(['chat', 'me'], { error: scopeError }),
  /** Every call of the tool, or only calls with the same arguments. */
  match: z.enum(['tool', 'exact-arguments'], { error: matchError }),
};

export const rememberSchema = z.object(rememberShape, { error: scopeError });

/** The later calls that an approval covers. @source H1, H10 */
export type Remember = WireObject<typeof rememberShape>;
