import { runtime } from '../../runtime/runtime.ts';

/** Characters that are sent without joining more. */
const fullLength = 16 * 1024;

/**
 * Joins frames that are ready at the same time, because each piece has a cost in the layers of a server. No frame waits for
 * another: what is joined is sent before the next turn of the event loop. Reads only on demand, and at first one frame at
 * a time, so that a response starts early.
 *
 * @returns a function to be called again when it has resolved, with text or, at the end, `undefined`
 */
export function joinFrames(frames: ReadableStreamDefaultReader<string>): () => Promise<string | undefined> {
  let text = '';
  let count = 0;
  /** The most frames per piece. Grows by one each time that so many were ready. */
  let most = 1;
  let isOver = false;
  let isReading = false;
  let waiting: PromiseWithResolvers<string | undefined> | undefined;

  function leave(): void {
    if (!waiting || (count === 0 && !isOver)) return;
    if (count >= most) most += 1;
    waiting.resolve(count === 0 ? undefined : text);
    waiting = undefined;
    text = '';
    count = 0;
  }

  function isFull(): boolean {
    return isOver || count >= most || text.length >= fullLength;
  }

  async function readOn(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (waiting && !isFull()) {
        const next = await frames.read();
        if (next.done) isOver = true;
        else {
          // A tool may block the process in the next turn of the event loop. Its start has been sent by then.
          if (count === 0) runtime.afterPromises(leave);
          text += next.value;
          count += 1;
        }
      }
      if (isFull()) leave();
    } catch (error) {
      waiting?.reject(error);
      waiting = undefined;
    } finally {
      isReading = false;
    }
  }

  return () => {
    waiting = Promise.withResolvers();
    const { promise } = waiting;
    if (count > 0) runtime.afterPromises(leave);
    void readOn();
    return promise;
  };
}
