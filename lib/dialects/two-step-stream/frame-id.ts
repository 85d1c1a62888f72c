/**
 * The place of a frame in its stream: its event's place in the log, its place among that event's frames, and
 * whether it is the stream's last. Clients send it back as `Last-Event-ID`.
 *
 * @source B17
 */
export type FrameId = { readonly seq: number; readonly index: number; readonly isLast: boolean };

/** A frame's id as it travels. */
export function formatFrameId({ seq, index, isLast }: FrameId): string {
  return `${seq}.${index}${isLast ? '.done' : ''}`;
}

/**
 * The id that a client sent back. `undefined` if this dialect did not make it; the stream is then read from its start.
 */
export function parseFrameId(value: string | null): FrameId | undefined {
  const match = /^(\d{1,15})\.(\d{1,3})(\.done)?$/.exec(value ?? '');
  return match
    ? { seq: Number(match[1]), index: Number(match[2]), isLast: match[3] !== undefined }
    : undefined;
}

/** Whether a frame comes after another one. */
export function isAfter(id: FrameId, other: FrameId): boolean {
  return id.seq > other.seq || (id.seq === other.seq && id.index > other.index);
}
