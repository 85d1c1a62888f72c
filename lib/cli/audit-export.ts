import type { SealedEntry } from '../flow/audit/verify-audit.ts';
import { isRecord } from '../vocabulary/index.ts';
import { UsageError } from './command.ts';

/** An exported audit record, as far as its check needs it. */
export type AuditExport = {
  readonly entries: readonly SealedEntry[];
  /** `undefined` when the export does not say where it ends: an NDJSON file whose last line is gone. */
  readonly head: string | undefined;
};

/**
 * Reads an export of `GET /api/chat/{chatId}/audit` in either form: JSON, or one entry a line and then the head.
 *
 * @throws UsageError for text that is neither
 */
export function parseAuditExport(text: string): AuditExport {
  const whole = parseJson(text);
  if (isRecord(whole) && Array.isArray(whole.entries)) {
    const { entries, head } = whole;
    return { entries: entries.map(parseEntry), head: typeof head === 'string' ? head : undefined };
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new UsageError('The file is empty; an export has at least a head.');
  const items = lines.map((line, index) => {
    const item = parseJson(line);
    if (item === undefined) throw new UsageError(`Line ${index + 1} is not JSON.`);
    return item;
  });
  const last = items.at(-1);
  if (isRecord(last) && !('seal' in last) && typeof last.head === 'string') {
    return { entries: items.slice(0, -1).map(parseEntry), head: last.head };
  }
  return { entries: items.map(parseEntry), head: undefined };
}

function parseEntry(value: unknown, index: number): SealedEntry {
  if (isRecord(value) && typeof value.seal === 'string') return { ...value, seal: value.seal };
  throw new UsageError(`Entry ${index + 1} is not an audit entry: it has no seal.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
