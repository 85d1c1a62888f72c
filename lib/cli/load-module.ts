import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { FlowStore } from '../log/store/index.ts';
import { isRecord } from '../protocol/index.ts';
import { printable, UsageError } from './command.ts';

/**
 * Loads a module of the app.
 *
 * @param path relative to the working directory
 * @returns its exports
 * @throws UsageError if it cannot be loaded
 */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const module: unknown = await import(pathToFileURL(resolve(path)).href).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${printable(path)} cannot be loaded: ${printable(why)}`, { cause });
  });
  // A module namespace has no prototype, but is an object like any other.
  return isRecord(module) ? module : {};
}

/**
 * Loads a module of the app, and takes its export `flow`.
 *
 * @throws UsageError if it cannot be loaded, or has none
 */
export async function loadFlow(path: string): Promise<ApprovalFlow> {
  const { flow } = await loadModule(path);
  if (isFlow(flow)) return flow;
  throw new UsageError(`${printable(path)} does not export a flow. Export it under the name \`flow\`.`);
}

function isFlow(value: unknown): value is ApprovalFlow {
  return isRecord(value) && isRecord(value.chats) && typeof value.close === 'function';
}

/**
 * Loads a module of the app, and takes its export `store`.
 *
 * @throws UsageError if it cannot be loaded, or has none
 */
export async function loadStore(path: string): Promise<FlowStore> {
  const { store } = await loadModule(path);
  if (isStore(store)) return store;
  throw new UsageError(`${printable(path)} does not export a store. Export it under the name \`store\`.`);
}

function isStore(value: unknown): value is FlowStore {
  return isRecord(value) && isRecord(value.records) && isRecord(value.instances);
}
