import { chatSocket } from 'countersign/plugins/chat-socket';
import { responses } from 'countersign/plugins/responses';
import { toolEvents } from 'countersign/plugins/tool-events';
import { twoStepStream } from 'countersign/plugins/two-step-stream';
import type { DialectName } from '../../simulator/dialects/profile.ts';
import { createReader, hasStreamOfRun } from '../../simulator/dialects/readers.ts';
import type { DialectReading } from '../../simulator/dialects/reading.ts';
import { eventsOf, proves } from './plugins.ts';
import { chatId, type Member, type Setup } from './stage.ts';

/** The dialects. Each reads the last turn as one of its clients does. */
export const dialects = {
  'chat-socket': (setup) => reads(setup, 'chat-socket', chatSocket()),
  responses: (setup) => reads(setup, 'responses', responses({ serverTools: 'mcp_call' })),
  'tool-events': (setup) => reads(setup, 'tool-events', toolEvents()),
  'two-step-stream': (setup) => reads(setup, 'two-step-stream', twoStepStream()),
} satisfies Record<DialectName, Member>;

function reads(setup: Setup, dialect: DialectName, plugin: Setup['dialects'][number]): void {
  setup.dialects.push(plugin);
  proves(setup, dialect, async () => {
    const { history, world, reached } = setup.stage();
    const starts = eventsOf(setup).flatMap((event) => (event.type === 'run-started' ? [event] : []));
    const messageId = starts.at(-1)?.messageId ?? '';
    const runs = starts.filter((start) => start.messageId === messageId).map(({ runId }) => runId);
    const begun = hasStreamOfRun.has(dialect) ? runs : runs.slice(0, 1);
    const frames: DialectReading['frames'] = [];
    const reading: DialectReading = {
      ...{ moment: history.moment(), dialect, who: 'ada', chatId, messageId, asks: 'follow' },
      ...{ frames, begun, over: new Set<string>() },
    };
    history.dialectReadings.push(reading);
    for (const runId of begun) {
      const read = createReader[dialect]({ world, history, reading, runId });
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
}
