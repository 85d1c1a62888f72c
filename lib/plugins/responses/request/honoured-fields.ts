import type { JsonObject, RunOptions } from '../../../protocol/index.ts';
import type { ToolListing } from '../../../views/tool-listing.ts';
import { refuseParam } from '../errors.ts';
import type { ResponsesRequest } from './request-schema.ts';
import { chosenTools, refuseChoice } from './tool-choice.ts';

/** What a request is checked against. */
type KnownTools = {
  /** The flow's tools. */
  readonly tools: readonly ToolListing[];
  readonly serverLabel: string;
};

const anyObject: JsonObject = { type: 'object' };

/** Kinds of tools that a request may announce, and that the server has if its flow does. */
const hostedKinds = [
  { kind: 'file_search', pattern: /^file_search$/ },
  { kind: 'web_search', pattern: /^web_search/ },
] as const;

/**
 * What a request sets for its turn: its functions, which tools may be called, and the limits.
 *
 * @throws CountersignError `invalid-request`, with the field, for what cannot be carried out
 * @source C15, ADR 0014
 */
export function turnOptions(body: ResponsesRequest, known: KnownTools): RunOptions {
  const { max_tool_calls: callLimit, max_output_tokens: outputLimit, text } = body;
  const clientTools = functionsOf(body, known);
  const names = [...new Set([...known.tools, ...(clientTools ?? [])].map(({ name }) => name))];
  const { toolChoice, activeTools } = chosenTools(body.tool_choice, { ...known, names });
  const allowed = allowedByServer(body, known);
  const active = allowed ? (activeTools ?? names).filter((name) => allowed(name)) : activeTools;
  return {
    clientTools,
    toolChoice,
    activeTools: active,
    callLimit: typeof callLimit === 'number' ? callLimit : undefined,
    outputLimit: typeof outputLimit === 'number' ? outputLimit : undefined,
    ...outputOf(text?.format),
  };
}

function functionsOf(
  { tools, metadata }: ResponsesRequest,
  { tools: own, serverLabel }: KnownTools,
): RunOptions['clientTools'] {
  // A client that wants the server's calls as functions declares these functions to read them.
  const readsFunctions = metadata?.server_tools === 'function_call';
  const seen = new Set<string>();
  const functions = (tools ?? []).flatMap((tool, index) => {
    if (tool.type !== 'function') {
      checkHosted(tool, `tools[${index}]`, { tools: own, serverLabel });
      return [];
    }
    // The schema has checked it.
    const { name, description, parameters, strict } = tool as Extract<typeof tool, { name: string }>;
    const param = `tools[${index}].name`;
    if (seen.has(name)) throw refuseParam('invalid-request', param, `There are two functions ${name}.`);
    seen.add(name);
    const ours = own.find((each) => each.name === name);
    if (ours && ours.executor !== 'client' && !readsFunctions) {
      const text = `${name} is a tool of this server, which runs it. Leave it out, or give your function another name.`;
      throw refuseParam('invalid-request', param, text);
    }
    // A function that the flow knows has its definition there.
    if (ours) return [];
    return [
      {
        name,
        description: typeof description === 'string' ? description : undefined,
        inputSchema: (parameters ?? anyObject) as JsonObject,
        strict: typeof strict === 'boolean' ? strict : undefined,
      },
    ];
  });
  return functions.length > 0 ? functions : undefined;
}

/** An entry that is no function says that the client can read items of this kind. What the server runs is its own. */
function checkHosted(
  tool: { readonly type: string; readonly server_label?: unknown },
  param: string,
  { tools, serverLabel }: KnownTools,
): void {
  if (tool.type === 'mcp') {
    if (tool.server_label === serverLabel) return;
    const text = `This gateway connects to no other MCP server. Its own tools have the label ${serverLabel}.`;
    throw refuseParam('invalid-request', `${param}.server_label`, text);
  }
  const hosted = hostedKinds.find(({ pattern }) => pattern.test(tool.type));
  if (hosted && tools.some(({ kind }) => kind === hosted.kind)) return;
  throw refuseParam('invalid-request', `${param}.type`, `This server has no tool of the type ${tool.type}.`);
}

/** `allowed_tools` of the entry for the server's own tools. */
function allowedByServer(
  { tools }: ResponsesRequest,
  { tools: own }: KnownTools,
): ((name: string) => boolean) | undefined {
  const entry = tools?.find(({ type }) => type === 'mcp');
  const allowed = entry && 'allowed_tools' in entry ? entry.allowed_tools : undefined;
  if (allowed === undefined || allowed === null) return undefined;
  const list: unknown = Array.isArray(allowed) ? allowed : Object(allowed).tool_names;
  if (!Array.isArray(list)) throw refuseChoice('tools', '`allowed_tools` must be a list of names.');
  const ofServer = new Set(own.filter(({ executor }) => executor !== 'client').map(({ name }) => name));
  return (name) => !ofServer.has(name) || list.includes(name.replace(/^mcp[.]/, ''));
}

function outputOf(format: NonNullable<ResponsesRequest['text']>['format']): Pick<RunOptions, 'output'> {
  switch (format?.type) {
    case 'json_object':
      return { output: {} };
    case 'json_schema': {
      const { name, description, schema } = format;
      return { output: { name, description: description || undefined, schema: schema as JsonObject } };
    }
    default:
      return {};
  }
}
