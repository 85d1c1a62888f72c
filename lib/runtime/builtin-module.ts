type BuiltinModules = {
  'node:async_hooks': typeof import('node:async_hooks');
  'node:crypto': typeof import('node:crypto');
  'node:diagnostics_channel': typeof import('node:diagnostics_channel');
  'node:fs': typeof import('node:fs');
  'node:path': typeof import('node:path');
  'node:sqlite': typeof import('node:sqlite');
};

/**
 * A module of Node, without an import: bundles for other runtimes stay loadable, and an old Node can be refused with
 * a message. Bundlers cannot see the request, so they neither fail nor replace the module.
 *
 * @returns `undefined` if there is no such module. Runtimes that imitate Node may lack some of its exports.
 * @source ADR 0028
 */
export function builtinModule<Name extends keyof BuiltinModules>(
  name: Name,
): Partial<BuiltinModules[Name]> | undefined {
  // Next warns about `process.` in code for its edge runtime, but not about this form.
  return globalThis.process?.getBuiltinModule?.(name);
}
