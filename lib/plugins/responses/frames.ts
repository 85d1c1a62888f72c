import type { ResponseEvent } from './client/schema/event-schema.ts';

/** Ends each stream. @source C12 */
export const lastFrame = 'data: [DONE]\n\n';

/** An event as its frame. @source C12 */
export function toFrame(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
