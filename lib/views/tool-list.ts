import { asSchema } from '@ai-sdk/provider-utils';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { detailsOf, executorOf, kindOf, toolNamed } from '../settings/tool-details.ts';
import type { ToolListing } from './tool-listing.ts';

/** The tools a model may call, as people and clients may read of them. @source contract D20 */
export async function listTools(settings: FlowSettings): Promise<ToolListing[]> {
  return Promise.all(
    Object.entries(settings.tools ?? {}).map(async ([name, tool]) => {
      const title = detailsOf(settings, name).title ?? tool.title ?? name;
      // A description may be made anew for each call; then there is none to tell beforehand.
      const description = typeof tool.description === 'string' ? tool.description : title;
      const inputSchema = await inputSchemaOf(settings, name);
      const executor = executorOf(tool, tool.type === 'provider');
      return { name, title, description, kind: kindOf(settings, name), executor, inputSchema };
    }),
  );
}

/** The JSON Schema of what a tool takes; `undefined` for a tool that the flow has not. */
export async function inputSchemaOf(settings: FlowSettings, name: string): Promise<unknown> {
  const tool = toolNamed(settings, name);
  return tool && asSchema(tool.inputSchema).jsonSchema;
}
