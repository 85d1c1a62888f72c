import { type Profiler, Session } from 'node:inspector/promises';

/** Milliseconds by call stack: frames from the caller to the callee, joined by `;`, each a function and its file. */
export type FoldedStacks = Readonly<Record<string, number>>;

/** What a server worker tells of where its time goes. */
export function profileProcess() {
  const session = new Session();
  return {
    async startProfile(): Promise<void> {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 100 });
      await session.post('Profiler.start');
    },

    async stopProfile(): Promise<FoldedStacks> {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return foldedStacks(profile);
    },
  };
}

function foldedStacks({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): FoldedStacks {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const stacks: Record<string, number> = {};
  for (const [index, sample] of samples.entries()) {
    const stack = stackOf(sample);
    // The time before a sample is its own: none is taken during an fsync, and the next one comes as it returns. The first
    // one has the time before the profile.
    if (index > 0 && stack !== '(idle)')
      stacks[stack] = (stacks[stack] ?? 0) + (timeDeltas[index] ?? 0) / 1_000;
  }
  return stacks;

  function stackOf(sample: number): string {
    const frames: string[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = callers.get(id)) {
      const node = byId.get(id);
      if (node && node.callFrame.functionName !== '(root)') frames.unshift(frameOf(node.callFrame));
    }
    return frames.join(';');
  }
}

/** A function, and its path in the repository or in its package. */
function frameOf({ functionName, url }: Profiler.ProfileNode['callFrame']): string {
  const isOurs = url.includes('/lib/') && !url.includes('/node_modules/');
  const file = isOurs ? url.slice(url.lastIndexOf('/lib/') + 1) : url.replace(/^.*\/node_modules\//, '');
  return file === '' ? functionName : `${functionName || 'anonymous'} in ${file}`;
}
