/** Memory in use after everything that nobody holds is freed. Needs `--expose-gc`. @returns bytes */
export async function settledHeap(): Promise<{ heap: number; rss: number }> {
  if (!globalThis.gc) throw new Error('Start this process with --expose-gc.');
  for (let time = 0; time < 4; time += 1) {
    // What was just closed is let go of by callbacks that are still to come.
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
