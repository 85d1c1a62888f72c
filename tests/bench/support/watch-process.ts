import { settledHeap } from './settled-heap.ts';

const everyMs = 5;

/** The heap, and what it refers to outside of it. Bytes. */
function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What a server worker tells of itself, beside what it serves. */
export function watchProcess() {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    heap: () => settledHeap(),

    /** @returns milliseconds of CPU in so many milliseconds of doing nothing */
    async idleCpu(ms: number): Promise<number> {
      const before = process.cpuUsage();
      await new Promise((resolve) => setTimeout(resolve, ms));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    },

    /** Watches the memory from now on. */
    async watchHeap(): Promise<void> {
      globalThis.gc?.();
      const start = memoryUsed();
      peak = 0;
      timer = setInterval(() => {
        peak = Math.max(peak, memoryUsed() - start);
      }, everyMs);
    },

    /** @returns the most that the memory grew by, garbage included, in bytes */
    async heapPeak(): Promise<number> {
      clearInterval(timer);
      return peak;
    },
  };
}
