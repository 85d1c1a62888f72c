import { isRecord, parseJson } from '../protocol/index.ts';
import type { SealedEntry } from '../views/audit/verify-audit.ts';
import { UsageError } from './command.ts';

/** The parts of an exported audit record that the check needs. */
export type AuditExport = {
  readonly entries: readonly SealedEntry[];
  /** `undefined` if the export is incomplete: an NDJSON file without its last line. */
  readonly head: string | undefined;
  /** The events without a valid seal, according to the export. */
  readonly faults: readonly unknown[];
};

/** An export of the whole record: `flow.audit.export`, one section per line. */
export type StoreExport = { readonly sections: readonly unknown[] };

/**
 * Parses an export of `GET /api/chat/{chatId}/audit` in either form: JSON, or one entry per line followed by the head.
 * Also parses an export of the whole record: one section per line.
 *
 * @throws UsageError if the text has none of these forms
 */
export function parseAuditExport(text: string): AuditExport | StoreExport {
  const whole = parseJson(text);
  if (isRecord(whole) && Array.isArray(whole.entries) && !('section' in whole)) {
    const { entries, head } = whole;
    const faults = faultsOf(whole);
    return { entries: entries.map(parseEntry), head: typeof head === 'string' ? head : undefined, faults };
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new UsageError('The file is empty. An export contains at least a head.');
  const items = lines.map((line, index) => {
    const item = parseJson(line);
    if (item === undefined) throw new UsageError(`Line ${index + 1} is not JSON.`);
    return item;
  });
  if (items.every((item) => isRecord(item) && 'section' in item)) return { sections: items };
  const last = items.at(-1);
  if (isRecord(last) && !('seal' in last) && typeof last.head === 'string') {
    return { entries: items.slice(0, -1).map(parseEntry), head: last.head, faults: faultsOf(last) };
  }
  return { entries: items.map(parseEntry), head: undefined, faults: [] };
}

function faultsOf({ faults }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(faults) ? faults : [];
}

function parseEntry(value: unknown, index: number): SealedEntry {
  if (isRecord(value) && typeof value.seal === 'string') return { ...value, seal: value.seal };
  throw new UsageError(`Entry ${index + 1} is not an audit entry: it has no seal.`);
}
