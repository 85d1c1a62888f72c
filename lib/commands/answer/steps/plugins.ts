import { CountersignError } from '../../../protocol/index.ts';
import { standingApproval } from '../../../run/question/standing-approval.ts';
import type { FlowSettings } from '../../../settings/flow-settings.ts';
import { missingPlugin } from '../../../settings/plugin/gates.ts';
import type { SaidApproval } from '../../../settings/plugin/plugin-declaration.ts';
import type { Approving, Found } from '../answering.ts';

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

/** Lets plugins read what an approval says to them. @throws CountersignError `invalid-request` @source ADR 0056 */
export async function keepForPlugins(approving: Approving): Promise<Found | undefined> {
  const { engine, answer } = approving;
  const said = Object.entries(answer.plugins ?? {});
  if (said.length === 0) return undefined;
  const approval = saidApproval(approving);
  const kept = await Promise.all(
    said.map(async ([name, what]) => {
      const plugin = engine.settings.plugins?.find((each) => each.name === name);
      if (!plugin?.approved) throw takesNothing(approving, name);
      return [name, await plugin.approved(what, approval)] as const;
    }),
  );
  return {
    kept: {
      said: Object.fromEntries(kept.map(([name, one]) => [name, one.said])),
      records: kept.flatMap(([, { records }]) => records),
    },
  };
}

function saidApproval({
  engine,
  answer,
  principal,
  question,
  prepared,
  call,
}: Approving): SaidApproval<FlowSettings> {
  const { settings, ids, auditor } = engine;
  const { id: approvalId, toolName } = question;
  return {
    settings,
    principal,
    question,
    kind: answer.type,
    input: prepared?.written?.input ?? call.requested.input,
    makeId: () => ids.grant(),
    async standing({ id, covers }) {
      const approval = await standingApproval(engine, principal, { id, approvalId, toolName, covers });
      return auditor?.sealedApproval(approval) ?? approval;
    },
  };
}

function takesNothing({ question: { id: approvalId } }: Approving, name: string): CountersignError {
  return new CountersignError(
    'invalid-request',
    `The answer to question ${approvalId} says something to the plugin \`${name}\`, which takes nothing. Nothing was recorded.`,
    { approvalId, plugin: name },
  );
}
