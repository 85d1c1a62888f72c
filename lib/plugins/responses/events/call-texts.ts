import type { Call } from '../../../log/turn/turn.ts';
import type { JsonValue } from '../../../protocol/index.ts';

/** A tool's name without the prefix that model providers put before tools of remote servers. */
export function nameOf({ requested }: Call): string {
  return requested.toolName.replace(/^mcp[.]/, '');
}

/** The arguments as JSON. */
export function argumentsText(call: Call): string {
  return JSON.stringify(shownInput(call));
}

/** The arguments: those that run, if a person edited them. */
export function shownInput({ requested, answered, started }: Call): JsonValue {
  return started?.input ?? answered?.input ?? requested.input;
}

/** The output; `null` unless the call completed. */
export function shownOutput({ end }: Call): JsonValue {
  return end?.type === 'tool-completed' ? end.output : null;
}

/** The output as a text; `null` unless the call completed. */
export function outputText(call: Call): string | null {
  if (call.end?.type !== 'tool-completed') return null;
  const output = shownOutput(call);
  return typeof output === 'string' ? output : JSON.stringify(output);
}
