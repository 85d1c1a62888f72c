import { redactParsed } from '../../log/redaction.ts';
import {
  copyJson,
  errorPlace,
  isSameJson,
  type QuestionOption,
  redact,
  toJson,
} from '../../protocol/index.ts';
import { dangerOf } from '../../protocol/safe-json.ts';
import type { AnswerOption } from '../../settings/forms/answer-option.ts';
import { describeCall, detailsOf } from '../../settings/tools/tool-details.ts';
import { parseInput, type Tools } from '../call/input/parse-input.ts';
import type { AskedCall } from './risk-and-subject.ts';

/**
 * The options of a call, with their arguments; `undefined` for a tool without. One that cannot be made or shown is left
 * out.
 *
 * @source ADR 0050
 */
export async function optionsOf(
  tools: Tools,
  call: AskedCall,
): Promise<readonly QuestionOption[] | undefined> {
  const { options } = detailsOf(tools.settings, call.toolName);
  if (!options || call.executor === 'provider') return undefined;
  const made = await Promise.all(options.map((option) => optionOf(tools, call, option)));
  return made.flatMap((option) => option ?? []);
}

async function optionOf(
  tools: Tools,
  call: AskedCall,
  { id, label, then, input: make, reason }: AnswerOption,
): Promise<QuestionOption | undefined> {
  const option = { id, label, then, reason };
  if (!make) return option;
  const { toolName } = call;
  const leftOut = (facts: object) => {
    const { logger } = tools.settings;
    logger?.error('An option of a question is not offered: its arguments could not be made.', {
      toolName,
      option: id,
      ...facts,
    });
    return undefined;
  };
  try {
    const given: unknown = make(copyJson(call.input) as never);
    if (given === undefined) return undefined;
    if (given instanceof Promise) {
      given.catch(() => {});
      return leftOut({ problem: 'it returned a promise' });
    }
    const danger = dangerOf(given);
    if (danger) return leftOut({ problem: `it ${danger}` });
    const input = toJson(given);
    if (isSameJson(input, call.input)) return option;
    if (call.executor === 'client') return leftOut({ problem: 'the client executes the call as proposed' });
    const parsing = await parseInput(tools, call, input);
    if (!parsing.fits) return leftOut({ problem: 'they do not fit the schema of the tool' });
    const paths = call.secrets?.input;
    if (!isSameJson(redact(input, paths), redactParsed(input, call.input, paths)))
      return leftOut({ problem: 'a secret of the call is in another place' });
    const description = describeCall(tools.settings, toolName, redactParsed(parsing.value, input, paths));
    return { ...option, input, description, ...(parsing.runsAs !== undefined && { runsAs: parsing.runsAs }) };
  } catch (error) {
    return leftOut({ error: errorPlace(error) });
  }
}
