import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { AuditKey } from '../log/seal/audit-keys.ts';
import { isRecord } from '../protocol/index.ts';
import { deriveKey } from '../server/identity/derive-key.ts';
import { verifyAudit } from '../views/audit/verify-audit.ts';
import { verifyAuditStore } from '../views/audit/verify-store.ts';
import { type AuditExport, parseAuditExport, type StoreExport } from './audit-export.ts';
import { type Command, printable, type Terminal, UsageError } from './command.ts';

/** The usage text of `verify-audit`. */
export const verifyAuditUsage = `  countersign verify-audit <export.json | export.ndjson> [--head <noted head>]
      [--secret-env <NAME> | --secret-file <path> | --key-env <NAME> | --key-env <id>=<NAME> ...]

  Checks an export of GET /api/chat/{chatId}/audit, or of the whole record (flow.audit.export, one section per line).
  --head: the head of an earlier export, to detect entries removed from the end since then; for the whole record, the
  head of the flow's own log. The key is derived from the app's secret (default: --secret-env COUNTERSIGN_SECRET; a
  generated secret is in the file "secret" of the data folder), or it is the flow's own auditKey. For a key ring, repeat
  --key-env with the id of each key; a key that was given as a plain string has no id.
  Exit code: 0 whole, 1 broken, 2 cannot be checked.`;

const broken = 1;

/**
 * Checks an exported audit record offline, and prints the result.
 *
 * @throws UsageError for invalid arguments, a missing key, or a file that cannot be read
 * @source ADR 0010
 */
export const verifyAuditCommand: Command = async (args, terminal) => {
  const { path, notedHead, ...source } = parseArguments(args);
  const key = await keyFrom(source, terminal.env);
  const exported = parseAuditExport(await readText(path));
  return 'sections' in exported
    ? checkStore(exported, { key, notedHead }, terminal)
    : checkChat(exported, { key, notedHead }, path, terminal);
};

type Check = { readonly key: AuditKey; readonly notedHead?: string };

function checkChat(
  { entries, head, faults }: AuditExport,
  { key, notedHead }: Check,
  path: string,
  terminal: Terminal,
): number {
  if (head === undefined) {
    terminal.print(`broken: ${printable(path)} is incomplete: its last part is missing.`);
    return broken;
  }
  const fault = withUsage(() => verifyAudit(entries, { key, head, notedHead, faults }));
  if (fault) {
    terminal.print(`broken: ${printable(fault.message)}`);
    const entry = entries[fault.index];
    if (entry) terminal.print(`entry ${fault.index + 1}: ${factsOf(entry)}`);
    return broken;
  }
  terminal.print(`whole: ${countOf(entries)}`);
  if (head !== '') terminal.print(`head: ${printable(head)}`);
  if (notedHead === undefined) {
    terminal.print(
      'This check cannot detect entries removed from the end before the export. Save the head, and',
    );
    terminal.print('pass it with --head next time.');
  }
  return 0;
}

function checkStore({ sections }: StoreExport, check: Check, terminal: Terminal): number {
  const faults = withUsage(() => verifyAuditStore(sections, check));
  for (const { chatId, message } of faults) {
    const where = chatId === undefined ? '' : `chat ${printable(chatId)}: `;
    terminal.print(`broken: ${where}${printable(message)}`);
  }
  if (faults.length > 0) return broken;
  const of = (name: string) => sections.filter((item) => isRecord(item) && item.section === name);
  const [flow] = of('flow');
  terminal.print(`whole: ${of('chat').length} chats, ${of('erased').length} kept records of erased ones`);
  if (isRecord(flow) && flow.head !== '') terminal.print(`head of the flow's log: ${printable(flow.head)}`);
  return 0;
}

type KeySource = {
  readonly keyEnv?: readonly string[];
  readonly secretEnv?: string;
  readonly secretFile?: string;
};

function parseArguments(args: readonly string[]): KeySource & { path: string; notedHead?: string } {
  const option = { type: 'string' } as const;
  const { values, positionals } = withUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        head: option,
        'key-env': { ...option, multiple: true },
        'secret-env': option,
        'secret-file': option,
      },
    }),
  );
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Give one exported file.');
  const { head, 'key-env': keyEnv, 'secret-env': secretEnv, 'secret-file': secretFile } = values;
  const sources = [keyEnv, secretEnv, secretFile].filter((source) => source !== undefined);
  if (sources.length > 1) throw new UsageError('Give the key in one way only.');
  if (head === '') throw new UsageError('--head needs the head of an earlier export.');
  return { path, notedHead: head, keyEnv, secretEnv, secretFile };
}

/** Keys come from the environment or a file: arguments are visible to every user of the machine. */
async function keyFrom(source: KeySource, env: Terminal['env']): Promise<AuditKey> {
  const { keyEnv, secretEnv = 'COUNTERSIGN_SECRET', secretFile } = source;
  if (keyEnv !== undefined) return ringFrom(keyEnv, env);
  const secret = secretFile === undefined ? variable(env, secretEnv) : (await readText(secretFile)).trim();
  return withUsage(() => deriveKey(secret, 'audit'));
}

/** The current key does not matter, because nothing is sealed here. */
function ringFrom(named: readonly string[], env: Terminal['env']): AuditKey {
  const keys = named.map((text) => {
    const [id, name] = text.includes('=') ? text.split('=', 2) : [undefined, text];
    return { id, key: variable(env, name ?? '') };
  });
  const plain = keys.filter(({ id }) => id === undefined);
  const [current, ...former] = keys.flatMap(({ id, key }) => (id === undefined ? [] : [{ id, key }]));
  if (plain.length > 1) throw new UsageError('Give at most one key without an id.');
  return current ? { current, former: [...former, ...plain] } : (plain[0]?.key ?? '');
}

function variable(env: Terminal['env'], name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new UsageError(`${printable(name)} is not set.`);
  return value;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`${printable(path)} cannot be read.`, { cause });
  }
}

/** Turns the library's refusal of an argument into a usage error. */
function withUsage<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function countOf(entries: AuditExport['entries']): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return 'no entries';
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  return `${count} of chat ${fact(first, 'chatId')}, from ${fact(first, 'at')} to ${fact(last, 'at')}`;
}

function factsOf(entry: object): string {
  return ['type', 'toolName', 'toolCallId', 'at'].map((name) => fact(entry, name)).join(', ');
}

function fact(entry: object, name: string): string {
  return printable(Object.entries(entry).find(([key]) => key === name)?.[1] ?? '?');
}
