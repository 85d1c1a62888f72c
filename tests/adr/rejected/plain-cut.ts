import type { FlowEvent } from '../../../lib/protocol/index.ts';

/** The rejected cut: what came after it is gone, whatever ran there. */
export function withPlainCuts(log: readonly FlowEvent[]): FlowEvent[] {
  return log.map((event) => {
    if (event.type !== 'history-cut' && event.type !== 'run-started') return event;
    const { kept: _kept, ...plain } = event;
    return plain;
  });
}
