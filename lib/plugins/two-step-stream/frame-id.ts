import type { RunId } from '../../protocol/index.ts';

/**
 * The place of a frame in its stream: its event's place in the log, its place among that event's frames, and
 * whether it is the stream's last. Clients send it back as `Last-Event-ID`.
 *
 * @source B17
 */
export type FrameId = { readonly seq: number; readonly index: number; readonly isLast: boolean };

/** Before all frames: the place of an error that is sent before any other frame. */
export const startOfStream: FrameId = { seq: 0, index: 0, isLast: false };

/** A frame's id as it travels. It names its stream: another stream's id must not pass for a place in this one. */
export function formatFrameId(stream: RunId, { seq, index, isLast }: FrameId): string {
  return `${markOf(stream)}.${seq}.${index}${isLast ? '.done' : ''}`;
}

/** The id that a client sent back. `undefined` for the id of another stream. */
export function parseFrameId(stream: RunId, value: string | null): FrameId | undefined {
  const match = /^([\w-]+)\.(\d{1,15})\.(\d{1,3})(\.done)?$/.exec(value ?? '');
  return match?.[1] === markOf(stream)
    ? { seq: Number(match[2]), index: Number(match[3]), isLast: match[4] !== undefined }
    : undefined;
}

/** Whether two ids are those of one frame. */
export function isSame(one: FrameId, other: FrameId): boolean {
  return one.seq === other.seq && one.index === other.index && one.isLast === other.isLast;
}

/** Whether a frame comes after another one. */
export function isAfter(id: FrameId, other: FrameId): boolean {
  return id.seq > other.seq || (id.seq === other.seq && id.index > other.index);
}

/** Short, since every frame has it; the ends of run ids are random. */
function markOf(stream: RunId): string {
  return stream.slice(-8);
}
