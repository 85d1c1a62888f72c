import type { Projection } from '../../views/reader/projection.ts';

/**
 * A projection as server-sent events. The frames of one event leave as one text.
 *
 * @param toFrame writes one output as a whole frame, which ends in an empty line
 * @param lastFrame follows the last output, whether the events ended or can no longer be read. Default: none
 */
export function eventFrames<Output>(
  projection: Projection<Output>,
  toFrame: (output: Output) => string,
  lastFrame = '',
): Projection<string> {
  function frames(outputs: readonly Output[], isLast: boolean): string[] {
    const text = outputs.map(toFrame).join('') + (isLast ? lastFrame : '');
    return text === '' ? [] : [text];
  }

  const isDone = () => projection.isDone?.() ?? false;
  const { fail, leave } = projection;
  return {
    apply(item) {
      const outputs = projection.apply(item);
      return frames(outputs, isDone());
    },
    end: () => frames(projection.end?.() ?? [], true),
    isDone,
    fail: fail ? (error) => frames(fail(error), true) : undefined,
    leave: leave ? () => frames(leave(), false) : undefined,
  };
}
