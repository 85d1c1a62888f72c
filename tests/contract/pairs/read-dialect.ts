import type { Dialect } from '../../../lib/server/dialect.ts';
import { clientOf } from '../../simulator/dialects/clients/index.ts';
import type { DialectName } from '../../simulator/dialects/profile.ts';
import type { DialectReading } from '../../simulator/dialects/reading.ts';
import { eventsOf, proves } from './proofs.ts';
import { chatId, type Member } from './stage.ts';

/** A dialect, in which the last turn is read as one of its clients does. */
export const readsIn =
  (dialect: DialectName, plugin: Dialect): Member =>
  (setup) => {
    setup.dialects.push(plugin);
    proves(setup, dialect, async () => {
      const { history, world, reached } = setup.stage();
      const starts = eventsOf(setup).flatMap((event) => (event.type === 'run-started' ? [event] : []));
      const messageId = starts.at(-1)?.messageId ?? '';
      const runs = starts.filter((start) => start.messageId === messageId).map(({ runId }) => runId);
      const { createReader, hasStreamOfRun } = clientOf(dialect);
      const begun = hasStreamOfRun ? runs : runs.slice(0, 1);
      const frames: DialectReading['frames'] = [];
      const reading: DialectReading = {
        ...{ moment: history.moment(), dialect, who: 'ada', chatId, messageId, asks: 'follow' },
        ...{ frames, begun, over: new Set<string>() },
      };
      history.dialectReadings.push(reading);
      for (const runId of begun) {
        const read = createReader({ world, history, reading, runId });
        const manners = {
          leaveAfter: Number.POSITIVE_INFINITY,
          pauseMs: 0,
          stopped: new Promise<void>(() => {}),
        };
        const outcome = await read(reached, manners);
        if (outcome !== 'over') return `${runId}: ${outcome}`;
        reading.over.add(runId);
      }
      history.dialectsReadAt = world.now();
      return frames.length > 1 || frames;
    });
  };
