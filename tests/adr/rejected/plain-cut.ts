import type { FlowEvent } from '../../../lib/protocol/index.ts';

/** The rejected cut: everything after it is removed, including calls that ran. */
export function withPlainCuts(log: readonly FlowEvent[]): FlowEvent[] {
  return log.map((event) => {
    if (event.type !== 'history-cut' && event.type !== 'run-started') return event;
    const { kept: _kept, ...plain } = event;
    return plain;
  });
}
