import { asSchema } from '@ai-sdk/provider-utils';
import { canonicalJson } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import { detailsOf, executorOf, toolNamed } from '../../settings/tools/tool-details.ts';
import type { Tools } from '../call/input/parse-input.ts';

/** What a person sees of a tool, and its limits, as text. Of rules, which are functions, only that there is one. */
export async function definitionOf({ settings, schemas }: Tools, toolName: string): Promise<string> {
  const tool = toolNamed(settings, toolName);
  const { approvers, risk, secrets, stepUp } = detailsOf(settings, toolName);
  // A description that is a function cannot be compared. The text only says that it is one.
  const description = typeof tool?.description === 'function' ? true : tool?.description;
  const inputSchema = tool && (await schemas.inputOf(tool).jsonSchema);
  const executor = executorOf(tool, false);
  const answer = isForm(tool) && { answer: await asSchema(tool?.outputSchema).jsonSchema };
  const facts = {
    description,
    inputSchema,
    executor,
    // A function cannot be compared.
    risk: typeof risk === 'function' ? 'function' : risk,
    secrets,
    stepUp,
    isRuled: approvers !== undefined,
    ...answer,
  };
  return `${canonicalJson(toolName)},${tool ? schemas.textOf(tool, facts) : canonicalJson(facts)}`;
}

/** A digest of the tool's definition. A standing approval of a tool whose definition has changed no longer applies. */
export async function definitionDigest(tools: Tools, toolName: string): Promise<string> {
  return runtime.digest(await definitionOf(tools, toolName));
}
