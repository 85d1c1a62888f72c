import { object, unfit, wholeNumber } from '../../protocol/settings.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import type { CheckedTool } from '../../settings/plugin/plugin-declaration.ts';
import { executorOf, toolNamed } from '../../settings/tools/tool-details.ts';

/** Each question has all its answers in its row. */
const most = 100;

const check = object({ count: wholeNumber(1, most), denials: wholeNumber(1, most) }, ['count']);

/**
 * Checks how many votes a tool needs, and whether it can need several.
 *
 * @throws Unfit
 * @source ADR 0047.9
 */
export function checkVotes(
  value: unknown,
  path: string,
  { settings, toolName }: CheckedTool<FlowSettings>,
): void {
  check(value, path);
  const found = toolNamed(settings, toolName);
  if (isForm(found)) unfit(path, 'is not supported for a form: people could fill in different values');
  if (settings.toolDetails?.[toolName]?.options)
    unfit(path, 'is not supported with `options`: people could approve different arguments');
  if (found?.type === 'provider' || (!found && toolName.startsWith('mcp.')))
    unfit(path, 'is not supported for a tool that the model’s provider runs: its question takes one answer');
  if (found && executorOf(found, false) === 'client')
    unfit(path, 'is not supported for a tool that the client executes: it would run at the first approval');
}
