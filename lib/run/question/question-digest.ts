import { redactParsed } from '../../log/redaction.ts';
import { shownOptions } from '../../log/shown-options.ts';
import { canonicalJson, type QuestionOption } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { scopeOf } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { gateDetailsOf } from '../../settings/plugin/gates.ts';
import { describeCall, detailsOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { parseInput, type Tools } from '../call/input/parse-input.ts';
import { optionsOf } from './options.ts';
import type { AskedCall } from './risk-and-subject.ts';
import { definitionOf } from './tool-definition.ts';

/**
 * A digest of everything that a question about this call would be about now: the tool's definition, its policy unless
 * it is a function, risk, title and sentence, its options with the arguments that they approve, and the author's `version`. All of it follows from the settings and
 * the arguments, so the same settings give the same digest, on any instance at any time.
 *
 * @param known the card's sentence and its options, if they are already known
 * @returns `undefined` for a call that the model's provider runs: its question is the provider's
 * @source ADR 0020
 */
export async function questionDigest(
  tools: Tools,
  call: AskedCall,
  known?: { readonly sentence: string; readonly options: readonly QuestionOption[] | undefined },
): Promise<string | undefined> {
  const { toolName, executor } = call;
  if (executor === 'provider') return undefined;
  const { settings } = tools;
  const tool = toolNamed(settings, toolName);
  if (!tool) return digest(['gone', toolName]);
  const { title, version } = detailsOf(settings, toolName);
  const gates = gateDetailsOf(settings, toolName);
  const own = scopeOf(settings, toolName);
  const said = known ? known.sentence : await sentenceOf(tools, call);
  const options = known ? known.options : await optionsOf(tools, call);
  return digest([
    await definitionOf(tools, toolName),
    policyOf(own.settings, own.name),
    title ?? tool.title ?? null,
    said ?? null,
    version ?? null,
    // Absent for other tools, whose open questions stay bound to what they were asked about.
    ...(gates.length > 0 ? [gates] : []),
    ...(options ? [shownOptions(options, call)] : []),
  ]);
}

async function sentenceOf(tools: Tools, call: AskedCall): Promise<string | undefined> {
  const parsing = await parseInput(tools, call, call.input);
  if (!parsing.fits) return undefined;
  const { toolName, input, secrets } = call;
  return describeCall(tools.settings, toolName, redactParsed(parsing.value, input, secrets?.input));
}

/** What the gate decides for every call of a tool, if it is not a function. */
function policyOf({ tools, toolApproval }: FlowSettings, toolName: string): unknown {
  if (typeof toolApproval === 'function') return 'function';
  const own = toolApproval && Object.hasOwn(toolApproval, toolName) ? toolApproval[toolName] : undefined;
  const policy = own ?? tools?.[toolName]?.needsApproval ?? null;
  return typeof policy === 'function' ? 'function' : policy;
}

function digest(facts: unknown): string {
  // 128 bits suffice to distinguish the versions of a tool. Each question stores them twice.
  return runtime.digest(canonicalJson(facts)).slice(0, 22);
}
