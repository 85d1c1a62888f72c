import type { Append } from '../../log/store-port.ts';
import type { FlowEvent } from '../../protocol/index.ts';

/**
 * A moment in the life of a log: right before or right after the append with a number, or the append that holds an
 * event of a type, for the n-th time. Both count from 1.
 *
 *     { when: 'after', event: 'tool-started' }       the call has begun, and nobody will ever hear of its end
 *     { when: 'before', append: 3, chatId: 'chat' }  the third append of this chat is never written
 */
export type KillPoint = {
  readonly when: 'before' | 'after';
  /** The chat whose appends count. Default: every chat's. */
  readonly chatId?: string;
} & (
  | { readonly append: number; readonly event?: undefined }
  | { readonly event: FlowEvent['type']; readonly nth?: number; readonly append?: undefined }
);

/** As it travels to a child process, such as `before:3:chat-7` or `after:tool-started.2`. */
export function formatKillPoint(point: KillPoint): string {
  const place = point.append ?? (point.nth === undefined ? point.event : `${point.event}.${point.nth}`);
  return [point.when, place, ...(point.chatId === undefined ? [] : [point.chatId])].join(':');
}

/** @throws Error for anything but a formatted kill point */
export function parseKillPoint(text: string): KillPoint {
  const [, when, append, event, nth, chatId] =
    /^(before|after):(?:([1-9]\d*)|([a-z]+-[a-z]+)(?:\.([1-9]\d*))?)(?::([\w-]+))?$/.exec(text) ?? [];
  if (when !== 'before' && when !== 'after') {
    throw new Error(
      `This is no kill point: ${text}. Write before:3, before:3:chat or after:tool-started.2:chat.`,
    );
  }
  const chat = chatId === undefined ? {} : { chatId };
  if (append !== undefined) return { when, append: Number(append), ...chat };
  return {
    when,
    event: event as FlowEvent['type'],
    ...(nth === undefined ? {} : { nth: Number(nth) }),
    ...chat,
  };
}

/** Counts appends. @returns whether this one is the kill point's */
export function killWatch(point: KillPoint): (batch: Append) => boolean {
  let count = 0;
  return ({ chatId, events }) => {
    if (point.chatId !== undefined && point.chatId !== chatId) return false;
    const counted = point.append === undefined ? events.filter(({ type }) => type === point.event).length : 1;
    const place = point.append ?? point.nth ?? 1;
    const before = count;
    count += counted;
    return before < place && count >= place;
  };
}
