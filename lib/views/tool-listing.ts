import { asSchema } from '@ai-sdk/provider-utils';
import type { Executor, ToolKind } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { forModel } from '../settings/tools/plugin-tools.ts';
import { detailsOf, executorOf, kindOf, toolNamed } from '../settings/tools/tool-details.ts';

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

/** The tools that a model may call, as clients may see them. @source D20 */
export async function listTools(settings: FlowSettings): Promise<ToolListing[]> {
  return Promise.all(
    Object.entries(forModel(settings).tools ?? {}).map(async ([name, tool]) => {
      const title = detailsOf(settings, name).title ?? tool.title ?? name;
      // If the description is a function of the call, there is none yet.
      const description = typeof tool.description === 'string' ? tool.description : title;
      const inputSchema = await inputSchemaOf(settings, name);
      const executor = executorOf(tool, tool.type === 'provider');
      return { name, title, description, kind: kindOf(settings, name), executor, inputSchema };
    }),
  );
}

/** The JSON Schema of a tool's input; `undefined` for an unknown tool. */
export async function inputSchemaOf(settings: FlowSettings, name: string): Promise<unknown> {
  const tool = toolNamed(settings, name);
  return tool && asSchema(tool.inputSchema).jsonSchema;
}
