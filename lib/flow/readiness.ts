import type { FlowStore } from '../log/store/index.ts';
import type { Clock } from '../protocol/index.ts';

/** How long the store may take. Orchestrators ask every few seconds. */
const limitMs = 2_000;

/** Whether this instance can take requests. Concurrent checks share one small query to the store. @source H-Health */
export function createReadiness({ store, clock }: { readonly store: FlowStore; readonly clock: Clock }) {
  let asking: Promise<boolean> | undefined;
  let closed = false;

  async function ask(): Promise<boolean> {
    try {
      await store.questions.lastChange();
      return true;
    } catch {
      return false;
    }
  }

  function asked(): Promise<boolean> {
    const answer = asking ?? ask().finally(() => giveUp(answer));
    asking = answer;
    return answer;
  }

  /** A query that never ends is abandoned when its first caller times out. */
  function giveUp(answer: Promise<boolean>): void {
    if (asking === answer) asking = undefined;
  }

  return {
    async isReady(): Promise<boolean> {
      if (closed) return false;
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      const answer = asked();
      const cancel = clock.after(limitMs, () => {
        giveUp(answer);
        resolve(false);
      });
      const answered = await Promise.race([answer, late]);
      cancel();
      return answered && !closed;
    },

    close(): void {
      closed = true;
    },
  };
}
