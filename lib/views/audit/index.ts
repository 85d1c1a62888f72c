export type { AuditEntry } from '../../log/seal/audit-entry.ts';
export type { AuditKey } from '../../log/seal/audit-keys.ts';
export type { AuditSection } from './export-record.ts';
export { type AuditFault, type SealedEntry, verifyAudit } from './verify-audit.ts';
export { type StoreFault, verifyAuditStore } from './verify-store.ts';
