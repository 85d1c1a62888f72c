import { people } from '../actors/people.ts';
import type { Part } from '../schedule/part.ts';

const commitFaults = ['fails-before', 'fails-after', 'dies-before', 'dies-after', 'freezes-after'] as const;

/** What happens to subscriptions besides the faults of all schedules: commits fail, and operators send something again. */
export const troublesSubscriptions: Part = (stage) => {
  const { world, history, instances, start, profile } = stage;
  if (!profile.subscriptions) return undefined;
  const { troubles } = profile.subscriptions;
  const random = stage.random('troubles of subscriptions');
  const troubling = stage.random('troubling subscriptions');

  /** An operator sends the newest dead delivery again. */
  async function redeliver(place: number): Promise<void> {
    const instance = instances[place];
    if (instance?.process.state !== 'alive') return;
    const principal = people.cleo;
    try {
      const { items } = await instance.flow.subscriptions.deadDeliveries({ principal });
      const [dead] = items;
      if (!dead) return;
      const { subscriber, eventId } = dead;
      history.revived.push({ subscriber, eventId, moment: history.moment() });
      await instance.flow.subscriptions.redeliver({ principal, subscriber, eventId });
      world.note(`${instance.name} delivers again what was dead for ${subscriber}`);
    } catch {
      // The store is away, or another operator was faster.
    }
  }

  /** The next commit of an instance fails. If its process dies, the next one starts. */
  function failCommit(place: number): void {
    const instance = instances[place];
    if (!instance) return;
    const { line, process, version } = instance;
    line.nextCommit = random.pick(commitFaults);
    const delayMs = random.below(1_500);
    void process.died.then(() =>
      world.after(delayMs, () => {
        if (instances[place]?.process.state === 'dead') start(place, version);
      }),
    );
  }

  return () => {
    if (!troubling.chance(troubles)) return false;
    const place = random.below(instances.length);
    if (random.chance(0.3)) void redeliver(place);
    else failCommit(place);
    return true;
  };
};
