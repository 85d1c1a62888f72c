import { CountersignError } from '../../../protocol/index.ts';
import { missingPlugin } from '../../../settings/plugin/missing-plugin.ts';
import type { Approving } from '../answering.ts';

/** A plugin that is missing here may have more to ask of an approval. @throws CountersignError `plugin-missing` */
export function refuseWithoutPlugins({ engine, question, answer }: Approving): undefined {
  const named = [...Object.keys(question.plugins ?? {}), ...Object.keys(answer.plugins ?? {})];
  const missing = missingPlugin(engine.settings, named);
  if (missing === undefined) return undefined;
  throw new CountersignError(
    'plugin-missing',
    `Question ${question.id} cannot be approved here: the plugin \`${missing}\` is missing. It can be denied.`,
    { approvalId: question.id, plugin: missing },
  );
}
