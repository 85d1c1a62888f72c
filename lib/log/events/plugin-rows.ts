import type { PluginEventBody } from '../../protocol/events/plugin-events.ts';
import { type EventRows, ofCall } from './event-row.ts';

/** The event of plugins. It is not an activity of the chat, and the record has its digest. @source ADR 0056 */
export const pluginRows: EventRows<PluginEventBody> = {
  'plugin-event': {
    claim: ({ plugin, claim }) => (claim === undefined ? undefined : `plugin:${plugin}:${claim}`),
    redact({ data: _data, early, ...event }) {
      if (!early) return early === null ? { ...event, early } : event;
      // The role and the session of the person are for the audit record only.
      const { approver: _approver, ...shown } = early;
      return { ...event, early: shown };
    },
    fold: ofCall((call, event) => {
      call.pluginEvents = [...(call.pluginEvents ?? []), event];
    }),
    facts({ seal: _seal, ...event }, { requested }, { digest, shown }) {
      const { plugin, name, approvalId, early } = event;
      const common = { type: 'plugin-event' as const, plugin, name, approvalId, digest: digest(event) };
      if (!early) return early === null ? { ...common, early } : common;
      const { id, by, approver, via, rule } = early;
      const who = { by: { ...by, ...approver }, via, rule };
      return { ...common, early: { id, ...who, ...shown(requested.input, requested.runsAs) } };
    },
    head: (_event, { updatedAt }) => ({ updatedAt }),
    changesQuestion: true,
    isForReaders: true,
    isNotice: ({ isNotice = false }) => isNotice,
  },
};
