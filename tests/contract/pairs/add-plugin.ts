import type { FlowPlugin } from 'countersign/plugin';
import type { Setup } from './stage.ts';

/** Adds a plugin to the flow. @returns its methods, once the flow is there */
export function addPlugin<Methods extends object>(
  { plugins }: Setup,
  plugin: FlowPlugin<string, Methods>,
): () => Methods {
  let methods: Methods | undefined;
  plugins.push({
    ...plugin,
    setUp(kernel) {
      const parts = plugin.setUp(kernel);
      methods = parts.methods;
      return parts;
    },
  });
  return () => {
    if (!methods) throw new Error(`${plugin.name} is not set up.`);
    return methods;
  };
}
