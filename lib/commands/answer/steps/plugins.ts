import { CountersignError } from '../../../protocol/index.ts';
import type { Approving } from '../answering.ts';

/**
 * A plugin that is missing here may have more to ask of an approval.
 *
 * @throws CountersignError `plugin-missing` @source ADR 0056
 */
export function refuseWithoutPlugins({ engine, question, answer }: Approving): undefined {
  const installed = new Set((engine.settings.plugins ?? []).map(({ name }) => name));
  const named = [...Object.keys(question.plugins ?? {}), ...Object.keys(answer.plugins ?? {})];
  const missing = named.find((name) => !installed.has(name));
  if (missing === undefined) return undefined;
  throw new CountersignError(
    'plugin-missing',
    `Question ${question.id} cannot be approved here: the plugin \`${missing}\` is missing. It can be denied.`,
    { approvalId: question.id, plugin: missing },
  );
}
