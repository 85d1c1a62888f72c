import { type CountersignError, isRecord, type RunOptions } from '../../../protocol/index.ts';
import type { ToolListing } from '../../../views/tool-listing.ts';
import { refuseParam } from '../errors.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** The tools that a choice can name. */
type Choosable = {
  readonly tools: readonly ToolListing[];
  readonly serverLabel: string;
  /** Of all tools of the turn. */
  readonly names: readonly string[];
};

/**
 * Which tools the model may or must call.
 *
 * @throws CountersignError `invalid-request` for a choice that names no tool of the turn
 * @source C15
 */
export function chosenTools(
  choice: ResponsesRequest['tool_choice'],
  from: Choosable,
): Pick<RunOptions, 'toolChoice' | 'activeTools'> {
  if (choice === undefined || choice === null || choice === 'auto') return {};
  if (typeof choice === 'string') return { toolChoice: choice };
  if (choice.type === 'allowed_tools') {
    const { tools = [], mode } = choice as { readonly tools?: unknown; readonly mode?: unknown };
    if (!Array.isArray(tools) || (mode !== 'auto' && mode !== 'required')) {
      throw refuseChoice('tool_choice', '`allowed_tools` needs `mode` and `tools`.');
    }
    const activeTools = [
      ...new Set(tools.flatMap((tool, index) => namedBy(tool, `tool_choice.tools[${index}]`, from))),
    ];
    return { activeTools, toolChoice: mode === 'required' ? mode : undefined };
  }
  const names = namedBy(choice, 'tool_choice', from);
  const [toolName] = names;
  return names.length === 1 && toolName !== undefined
    ? { toolChoice: { type: 'tool', toolName } }
    : { activeTools: names, toolChoice: 'required' };
}

/** The error for a choice, or a part of one, that cannot be honoured. */
export function refuseChoice(param: string, message: string): CountersignError {
  return refuseParam('invalid-request', param, message);
}

/** The tools that an entry such as `{ type: 'function', name }` names: at least one. */
function namedBy(entry: unknown, param: string, { tools, serverLabel, names }: Choosable): string[] {
  const { type, name, server_label } = isRecord(entry) ? entry : {};
  const ofServer = tools.filter(({ executor }) => executor !== 'client').map((tool) => tool.name);
  const named = (all: readonly string[]) => all.filter((each) => each.replace(/^mcp[.]/, '') === name);
  const found = () => {
    if (type === 'function') return named(names);
    if (type === 'mcp' && server_label === serverLabel)
      return typeof name === 'string' ? named(ofServer) : ofServer;
    const kind = typeof type === 'string' && type.startsWith('web_search') ? 'web_search' : type;
    if (kind !== 'file_search' && kind !== 'web_search') return [];
    return tools.filter((tool) => tool.kind === kind).map((tool) => tool.name);
  };
  const all = found();
  if (all.length > 0) return all;
  const what = [type, server_label, name].filter((text) => typeof text === 'string').join(' ');
  throw refuseChoice(param, `This turn has no tool ${what || 'of this form'}.`);
}
