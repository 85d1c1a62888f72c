import type { Executor, ToolKind } from '../protocol/index.ts';

/** A tool as clients may see it, before it is called. @source D20 */
export type ToolListing = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly executor: Executor;
  /** JSON Schema. */
  readonly inputSchema: unknown;
};
