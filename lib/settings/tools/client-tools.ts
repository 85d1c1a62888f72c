import { jsonSchema } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';
import type { RunOptions } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';

/**
 * The settings of a turn with the client's functions, without `execute`. The flow's tools keep their names.
 *
 * @source C15, ADR 0014
 */
export function withClientTools<Settings extends FlowSettings>(
  settings: Settings,
  options: RunOptions | undefined,
): Settings {
  const { clientTools } = options ?? {};
  if (!clientTools) return settings;
  const brought = clientTools.map(({ name, description, inputSchema, strict }) => [
    name,
    {
      description,
      strict,
      inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
    },
  ]);
  const tools: ToolSet = { ...Object.fromEntries(brought), ...settings.tools };
  return { ...settings, tools };
}
