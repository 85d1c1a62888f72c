import type { Projection } from '../../views/reader/projection.ts';

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
