import { asSchema } from '@ai-sdk/provider-utils';
import {
  type ChatId,
  canonicalJson,
  type GrantMatch,
  type GrantScope,
  type JsonValue,
  type RememberRequest,
} from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import { detailsOf, executorOf, toolNamed } from '../../settings/tools/tool-details.ts';
import type { Tools } from '../call/input/parse-input.ts';

/** The parts of a call that a grant may cover. */
export type CoveredCall = {
  readonly personId: string;
  readonly chatId: ChatId;
  readonly toolName: string;
  /** The arguments as they were given, by the model or by the person who edited them. */
  readonly input: JsonValue;
};

const scopes: readonly GrantScope[] = ['me', 'chat'];
const matches: readonly GrantMatch[] = ['tool', 'exact-arguments'];

/**
 * The key of a grant that covers this call so far. It contains everything that the approval was about. If a
 * tool's definition has changed, its key differs, and the grant no longer applies.
 */
export async function grantKey(tools: Tools, call: CoveredCall, remember: RememberRequest): Promise<string> {
  const definition = await definitionOf(tools, call.toolName);
  return keyFrom(definition, { ...call, input: canonicalJson([call.input]) }, remember);
}

/** The keys of all grants that would cover this call, however far they reach. */
export async function grantKeys(tools: Tools, call: CoveredCall): Promise<string[]> {
  const definition = await definitionOf(tools, call.toolName);
  const input = canonicalJson([call.input]);
  return scopes.flatMap((scope) =>
    matches.map((match) => keyFrom(definition, { ...call, input }, { scope, match })),
  );
}

/** @param call.input the arguments in canonical JSON, as the only item of a list */
function keyFrom(
  definition: string,
  { personId, chatId, input }: Pick<CoveredCall, 'personId' | 'chatId'> & { readonly input: string },
  { scope, match }: RememberRequest,
): string {
  const person = JSON.stringify(personId);
  const reach = `${scope === 'chat' ? JSON.stringify(chatId) : null},${match === 'exact-arguments' ? input : null}`;
  return runtime.digest(`[${person},${reach},${definition}]`);
}

/**
 * What a person sees of a tool, and its limits: the last items of the array that a grant's key is made of. Rules are
 * functions and are called at each use. The key only says whether there is one.
 */
export async function definitionOf({ settings, schemas }: Tools, toolName: string): Promise<string> {
  const tool = toolNamed(settings, toolName);
  const { approvers, risk, secrets, stepUp } = detailsOf(settings, toolName);
  // A description that is a function cannot be compared. The key only says that it is one.
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
