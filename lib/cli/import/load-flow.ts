import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../../protocol/index.ts';
import { printable, UsageError } from '../command.ts';
import type { Importer } from './import-line.ts';

/** The part of a flow that the command needs. */
export type LoadedFlow = Importer & { close(): Promise<void> };

/**
 * Loads a module of the app, and takes its export `flow`.
 *
 * @throws UsageError if it cannot be loaded, or has none
 */
export async function loadFlow(path: string): Promise<LoadedFlow> {
  const module: unknown = await import(pathToFileURL(resolve(path)).href).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${printable(path)} cannot be loaded: ${printable(why)}`, { cause });
  });
  // A module namespace has no prototype, but is an object like any other.
  const flow = isRecord(module) ? module.flow : undefined;
  if (isFlow(flow)) return flow;
  throw new UsageError(`${printable(path)} does not export a flow. Export it under the name \`flow\`.`);
}

function isFlow(value: unknown): value is LoadedFlow {
  return isRecord(value) && typeof value.importChat === 'function' && typeof value.close === 'function';
}
