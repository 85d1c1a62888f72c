import { keptRecords, purgeRecord } from '../commands/purge.ts';
import { readable } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import { auditEntries } from '../views/audit/audit-entries.ts';
import { exportRecord } from '../views/audit/export-record.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { Audit } from './methods/audit.ts';
import { pageSize } from './page-size.ts';
import { readEvents } from './read-chats.ts';

export function createAudit(engine: Engine, cursors: Cursors): Audit {
  const { store, settings, auditor } = engine;
  return {
    async read({ chatId, principal }) {
      const head = await readable(settings, principal, chatId, await store.chats.head(chatId));
      // Events appended in the meantime are not covered by the head that was read.
      const events = (await readEvents(store, chatId)).filter(({ seq }) => seq <= head.seq);
      if (!auditor) return { entries: [], head: head.auditHead ?? '', faults: [] };
      const { entries, faults } = auditEntries(chatId, events, auditor);
      return { entries: entries.map(({ entry }) => entry), head: head.auditHead ?? '', faults };
    },

    export: () => exportRecord(engine),
    kept: ({ principal, chatId, cursor, limit }) =>
      cursors.page('records', principal, { cursor, limit: pageSize(limit) }, (from) =>
        keptRecords(engine, principal, { chatId, ...from }),
      ),
    purge: (request) => purgeRecord(engine, request),
  };
}
