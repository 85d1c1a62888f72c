/** Work that is repeated while there is more to do, and never runs twice at once. */
export type RepeatedWork = {
  /** Begins the work, or repeats it after the current round. */
  wake(): void;
  /** Resolves when no round is running. */
  idle(): Promise<void>;
};

/**
 * @param round one part of the work; true if there is more to do now
 * @param onError called when a round fails; the next `wake` begins again
 */
export function createRepeatedWork(
  round: () => Promise<boolean>,
  onError: (error: unknown) => void,
): RepeatedWork {
  let running: Promise<void> | undefined;
  let isWoken = false;

  async function run(): Promise<void> {
    try {
      do isWoken = false;
      while ((await round()) || isWoken);
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
    }
  }

  return {
    wake() {
      isWoken = true;
      running ??= run();
    },
    idle: async () => running,
  };
}
