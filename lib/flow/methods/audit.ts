import type { AuditEntry } from '../../log/seal/audit-entry.ts';
import type { ChatId, Page } from '../../protocol/index.ts';
import type { LogFault } from '../../views/audit/audit-entries.ts';
import type { AuditSection } from '../../views/audit/export-record.ts';
import type { ErasedChat } from '../../views/audit/kept-record.ts';
import type { By, InChat } from '../request.ts';

/** A chat's audit record, as `verifyAudit` checks it. */
export type AuditRecord = {
  readonly entries: readonly AuditEntry[];
  /** The seal of the last entry; `''` if there are no entries. */
  readonly head: string;
  /** Events in the log that the record does not confirm. Empty unless someone has manipulated the database. */
  readonly faults: readonly LogFault[];
};

/** The sealed records. */
export type Audit = {
  /**
   * The questions, answers and executions of a chat, sealed entry by entry. Empty without an audit key.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0010, ADR 0023
   */
  read(request: InChat): Promise<AuditRecord>;
  /**
   * The audit record of the whole store: of each chat, of erased chats, and of the flow itself. For
   * operators: it checks no rights, so do not expose it to users. Empty without an audit key. Check it with
   * `verifyAuditStore` or `countersign verify-audit`.
   */
  export(): AsyncIterable<AuditSection>;
  /** The records that erasure kept, most recent erasure first, of chats that this principal could see. */
  kept(
    request: By & { readonly chatId?: ChatId; readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<ErasedChat>>;
  /**
   * Erases a chat, including the record that erasure would keep; for an erased chat, erases the kept record.
   * The flow's log records who did it and why.
   *
   * @param request.reason 1 to 2,000 characters
   * @throws CountersignError `forbidden` unless `mayPurge` returns `true`; `not-found`; `invalid-request`
   * @source ADR 0023
   */
  purge(request: InChat & { readonly reason: string }): Promise<void>;
};
