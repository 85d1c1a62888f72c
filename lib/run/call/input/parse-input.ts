import { copyJson, type EventOf, isSameJson, type JsonValue, toJson } from '../../../protocol/index.ts';
import { dangerOf } from '../../../protocol/safe-json.ts';
import type { FlowSettings } from '../../../settings/flow-settings.ts';
import { toolNamed } from '../../../settings/tools/tool-details.ts';
import type { ParsedInput, Schemas } from './schemas.ts';

/** The tools of a flow, and what they take. */
export type Tools = { readonly settings: FlowSettings; readonly schemas: Schemas };

/** What of a call decides how its arguments are parsed. */
export type ParsedCall = Pick<EventOf<'tool-requested'>, 'toolName' | 'executor'>;

/** @see parseInput */
export type InputParsing = ParsedInput | { readonly fits: false; readonly error: Error };

/**
 * Parses a call's arguments from the text of the model, or of a person who edited them. Only here do arguments become a
 * tool's own values. A parsed value is never stored, and never parsed again.
 *
 * Arguments of a call that the model's provider runs are the provider's. They are used as they are, and so are those of a
 * tool that no longer exists.
 *
 * @source ADR 0020
 */
export async function parseInput(
  { settings, schemas }: Tools,
  { toolName, executor }: ParsedCall,
  input: JsonValue,
): Promise<InputParsing> {
  const tool = toolNamed(settings, toolName);
  if (!tool || executor === 'provider') {
    return { fits: true, value: copyJson(input), json: input };
  }
  const parsing = await schemas.parse(tool, input);
  if (!parsing.fits) return parsing;
  const { experimental_refineToolInput: refinements = {} } = settings;
  const refine = Object.hasOwn(refinements, toolName) ? refinements[toolName] : undefined;
  return refine ? refined(refine, parsing.value, input) : parsed(parsing.value, input);
}

/** A schema may parse a text into a value that is too deep to be shown. */
function parsed(value: unknown, input: JsonValue): InputParsing {
  const json = toJson(value);
  if (isSameJson(json, input)) return { fits: true, value, json };
  const danger = dangerOf(json);
  if (danger) return { fits: false, error: new Error(`The input ${danger}.`) };
  return { fits: true, value, json, runsAs: json };
}

/** What the flow's refinement makes of parsed arguments. If it fails, the call does not run. @source ADR 0029 */
async function refined(
  refine: (value: never) => unknown,
  value: unknown,
  input: JsonValue,
): Promise<InputParsing> {
  try {
    return parsed(await refine(value as never), input);
  } catch (error) {
    return { fits: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
