import { type Profiler, Session } from 'node:inspector/promises';

/** Frames that say nothing about a stage: their time is their caller's. */
const shared = /\/lib\/(protocol|runtime|settings)\//;

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

    /** @returns milliseconds by the file of `lib/` that was at work or had called what was; otherwise by package */
    async stopProfile(): Promise<Readonly<Record<string, number>>> {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return timesByFile(profile);
    },
  };
}

function timesByFile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Record<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const times: Record<string, number> = {};
  for (const [index, sample] of samples.entries()) {
    const name = placeOf(sample);
    // The time before a sample is its own: none is taken during an fsync, and the next one comes as it returns. The first
    // one has the time before the profile.
    if (index > 0 && name !== '(idle)') times[name] = (times[name] ?? 0) + (timeDeltas[index] ?? 0) / 1_000;
  }
  return times;

  function placeOf(sample: number): string {
    for (let id: number | undefined = sample; id !== undefined; id = callers.get(id)) {
      const url = byId.get(id)?.callFrame.url ?? '';
      if (url.includes('/lib/') && !url.includes('/node_modules/') && !shared.test(url))
        return url.slice(url.lastIndexOf('/lib/') + 1);
    }
    const { url = '', functionName = '' } = byId.get(sample)?.callFrame ?? {};
    return url === '' ? functionName : url.replace(/^.*\/node_modules\//, '');
  }
}
