import type { Call } from '../../log/turn.ts';
import { type JsonValue, redact } from '../../protocol/index.ts';

/** A tool's name without the mark by which model providers name tools of remote servers. */
export function nameOf({ requested }: Call): string {
  return requested.toolName.replace(/^mcp[.]/, '');
}

/** The arguments as shown, in JSON: what runs, if somebody edited them. */
export function argumentsOf(call: Call): string {
  return JSON.stringify(shownInput(call));
}

/** Its arguments as people may see them: what runs, if somebody edited them. */
export function shownInput({ requested, answered, started }: Call): JsonValue {
  return redact(started?.input ?? answered?.input ?? requested.input, requested.secrets?.input);
}

/** What it gave, as people may see it; `null` when it gave nothing. */
export function shownOutput({ requested, end }: Call): JsonValue {
  return end?.type === 'tool-completed' ? redact(end.output, requested.secrets?.output) : null;
}

/** What it gave as a text; `null` unless it completed. */
export function outputOf(call: Call): string | null {
  if (call.end?.type !== 'tool-completed') return null;
  const output = shownOutput(call);
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Why it gave nothing, in a sentence; `undefined` when it completed or goes on. */
export function errorOf({ end }: Call): string | undefined {
  switch (end?.type) {
    case 'tool-failed':
      return end.error;
    case 'tool-denied':
      if (end.withdrawn) return `The call was not run: its question was withdrawn (${end.withdrawn}).`;
      return end.reason ? `The call was denied: ${end.reason}` : 'The call was denied.';
    case 'tool-cancelled':
      return end.reason;
    default:
      return undefined;
  }
}
