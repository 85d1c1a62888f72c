import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createFlowClock } from '../log/flow-clock.ts';
import type { FlowStore } from '../log/store/index.ts';
import { systemClock } from '../protocol/clock/system-clock.ts';
import { type Command, printable, UsageError } from './command.ts';
import { loadStore } from './load-module.ts';

/** The usage text of `plugins`. */
export const pluginsUsage = `  countersign plugins remove <name> --store <module>

  Deletes the records that a plugin keeps in a store, such as remembered approvals. Switching a plugin off leaves them. The
  module exports the store as "store". Events stay in the chats, because they are part of the record. An instance is
  known to be live for a few seconds after each of its sweeps. So on serverless functions, deploy without the plugin first.
  Exit code: 0 deleted, 1 refused because a live instance has the plugin.`;

const refused = 1;

/**
 * Deletes the records of a plugin, unless a live instance has announced it.
 *
 * @returns 0 if none are left, 1 if an instance has the plugin
 * @throws UsageError for wrong arguments, and for a module without a store
 * @source ADR 0056.47
 */
export const pluginsCommand: Command = async (args, { print, complain }) => {
  const { plugin, module } = parseArguments(args);
  const store = await loadStore(module);
  try {
    const users = await instancesWith(store, plugin);
    if (users.length > 0) {
      const them = users.map(printable).join(', ');
      complain(
        `Nothing was deleted. A live instance (${them}) uses the plugin ${printable(plugin)}. Deploy without it first. An instance that ended without closing its flow counts as live until its announcement expires.`,
      );
      return refused;
    }
    const count = await store.records.drop(plugin);
    print(`Deleted ${count} ${count === 1 ? 'record' : 'records'} of ${printable(plugin)}.`);
    return 0;
  } finally {
    await store.close();
  }
};

/** The ids of the live instances that have a plugin. */
async function instancesWith(store: FlowStore, plugin: string): Promise<string[]> {
  // Only a live instance gets the others. This one is live for a millisecond, so that no other warns of its plugins.
  const id = randomUUID();
  const now = await createFlowClock(store, systemClock).sure();
  const live = await store.instances.announce({ id, until: now + 1, outdated: {}, plugins: [] }, now);
  await store.instances.retire(id);
  return live.filter(({ plugins }) => plugins.includes(plugin)).map((instance) => instance.id);
}

function parseArguments(args: readonly string[]): { readonly plugin: string; readonly module: string } {
  try {
    const options = { store: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [action, plugin, ...more] = positionals;
    if (action !== 'remove') throw new UsageError('The only action is "remove".');
    if (plugin === undefined || more.length > 0) throw new UsageError('Give the name of one plugin.');
    if (values.store === undefined) throw new UsageError('--store <module> is required.');
    return { plugin, module: values.store };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
