import type { PluginEventBody } from '../../protocol/events/plugin-events.ts';
import { type EventRows, ofCall } from './event-row.ts';

/** The event of plugins. It is not an activity of the chat, and the record has its digest. @source ADR 0056 */
export const pluginRows: EventRows<PluginEventBody> = {
  'plugin-event': {
    claim: ({ plugin, claim }) => (claim === undefined ? undefined : `plugin:${plugin}:${claim}`),
    redact: ({ data: _data, ...event }) => event,
    fold: ofCall((call, event) => {
      call.pluginEvents = [...(call.pluginEvents ?? []), event];
    }),
    facts({ seal: _seal, ...event }, _call, { digest }) {
      const { plugin, name, approvalId } = event;
      return { type: 'plugin-event', plugin, name, approvalId, digest: digest(event) };
    },
    head: (_event, { updatedAt }) => ({ updatedAt }),
    changesQuestion: true,
    isForReaders: true,
    isNotice: ({ isNotice = false }) => isNotice,
  },
};
