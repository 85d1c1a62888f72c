import type { Tool } from 'ai';

/** Rejected: details in a wrapper around the tool, which awaits `execute`. */
export function withDetails(tool: Tool, details: object): Tool {
  return {
    ...tool,
    ...details,
    execute: async (input: never, options: never) => await tool.execute?.(input, options),
  } as Tool;
}
