/** Characters that leave at once, whatever else is ready. */
const fullLength = 16 * 1024;

/**
 * Joins the frames that are ready together, so that each journey through a server's layers carries more than one.
 * A frame waits for no other: what is joined leaves when the work at hand is done, before anything else is looked at.
 * Reads only while somebody waits, and at first no more than is asked for: a response's first words come early.
 *
 * @returns a function to be called again when it has resolved, with text or, at the end, `undefined`
 */
export function joinFrames(frames: ReadableStreamDefaultReader<string>): () => Promise<string | undefined> {
  let text = '';
  let count = 0;
  /** Grows by one each time that more was ready. */
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
          if (count === 0) process.nextTick(leave);
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
    if (count > 0) process.nextTick(leave);
    void readOn();
    return promise;
  };
}
