import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Command, printable, type Terminal, UsageError } from '../../cli/command.ts';
import { loadFlow } from '../../cli/load-module.ts';
import { errorFacts } from '../../protocol/index.ts';
import { type Importer, importLine, type LineResult } from './import-line.ts';
import { linesOf } from './lines.ts';

/** The usage text of `import`. */
export const importUsage = `  countersign import --flow <module> <chats.ndjson | ->

  Imports chats into the store of a flow, one chat per line: { id, principal: { id, name }, messages, title?, createdAt?,
  updatedAt?, callOptions? }. messages: as useChat has them. Times: epoch milliseconds, or ISO 8601. The module exports the
  flow as "flow"; it must not serve anything. A chat that was imported before stays as it is, so repeat the command after
  an interruption.
  Exit code: 0 all chats are there, 1 a line failed, 2 it ended early.`;

const someFailed = 1;
const interrupted = 2;

/**
 * Imports chats from NDJSON into the store of a flow, and reports each line. If repeated, it does the rest.
 *
 * @returns 0 if all chats exist, 1 if a line failed, 2 if it ended early
 * @throws UsageError for wrong arguments, and for a module without a flow
 * @source ADR 0036
 */
export const importCommand: Command = async (args, terminal) => {
  const { module, path } = parseArguments(args);
  const flow = await loadFlow(module);
  try {
    if (!hasImports(flow)) {
      throw new UsageError(
        `The flow of ${printable(module)} lacks a plugin. Add \`imports()\` to its \`plugins\`.`,
      );
    }
    return await importChats(flow, bytesOf(path), terminal);
  } finally {
    await flow.close();
  }
};

function hasImports(flow: object): flow is Importer {
  return 'imports' in flow;
}

/** Imports the chats of a text, line by line. @see importCommand */
export async function importChats(
  flow: Importer,
  bytes: AsyncIterable<Uint8Array>,
  { print, complain }: Pick<Terminal, 'print' | 'complain'>,
): Promise<number> {
  const counts = { imported: 0, unchanged: 0, failed: 0 };
  let number = 0;
  try {
    for await (const line of linesOf(bytes)) {
      number += 1;
      if (line.trim() === '') continue;
      const result = await importLine(flow, line);
      counts[result.status] += 1;
      print(reportOf(number, result));
    }
  } catch (error) {
    // What was imported stays, so the command can be repeated.
    const { name, message = '' } = errorFacts(error);
    complain(`Ended after line ${number}: ${printable(`${name}: ${message}`)} Run the command again.`);
    print(`${totalsOf(counts)}, ended early`);
    return interrupted;
  }
  print(totalsOf(counts));
  return counts.failed > 0 ? someFailed : 0;
}

function reportOf(line: number, { status, id, open, error }: LineResult): string {
  const chat = id === undefined ? '' : ` chat ${printable(id)}`;
  const asks = open === undefined ? '' : `, asks ${printable(open)}`;
  const why = error === undefined ? '' : `: ${printable(error)}`;
  return `line ${line}: ${status}${chat}${asks}${why}`;
}

function totalsOf({ imported, unchanged, failed }: Record<LineResult['status'], number>): string {
  return `${imported} imported, ${unchanged} unchanged, ${failed} failed`;
}

function parseArguments(args: readonly string[]): { readonly module: string; readonly path: string } {
  try {
    const options = { flow: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [path, ...more] = positionals;
    if (values.flow === undefined) throw new UsageError('Give the module of the flow: --flow <module>.');
    if (path === undefined || more.length > 0) throw new UsageError('Give one file, or - for the input.');
    return { module: values.flow, path };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  if (path === '-') yield* process.stdin;
  else yield* createReadStream(path);
}
