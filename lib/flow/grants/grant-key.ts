import { createHash } from 'node:crypto';
import { asSchema } from '@ai-sdk/provider-utils';
import {
  type ChatId,
  canonicalJson,
  type GrantMatch,
  type GrantScope,
  type JsonValue,
  type RememberRequest,
} from '../../vocabulary/index.ts';
import { detailsOf, executorOf, toolNamed } from '../tool-traits.ts';
import type { FlowSettings } from '../types.ts';

/** A call as far as a grant may cover it. */
export type CoveredCall = {
  readonly personId: string;
  readonly chatId: ChatId;
  readonly toolName: string;
  /** What would run, or has run. */
  readonly input: JsonValue;
};

const scopes: readonly GrantScope[] = ['me', 'chat'];
const matches: readonly GrantMatch[] = ['tool', 'exact-arguments'];

/**
 * The key of a grant that covers this call so far. Everything that the approval was about is in it, so a tool that
 * has changed its definition since has another key, and the grant is found no more.
 */
export async function grantKey(
  settings: FlowSettings,
  call: CoveredCall,
  remember: RememberRequest,
): Promise<string> {
  return keyFrom(await definitionOf(settings, call.toolName), call, remember);
}

/** The keys of all grants that would cover this call, however far they reach. */
export async function grantKeys(settings: FlowSettings, call: CoveredCall): Promise<string[]> {
  const definition = await definitionOf(settings, call.toolName);
  return scopes.flatMap((scope) => matches.map((match) => keyFrom(definition, call, { scope, match })));
}

function keyFrom(
  definition: readonly unknown[],
  { personId, chatId, input }: CoveredCall,
  { scope, match }: RememberRequest,
): string {
  const reach = [scope === 'chat' ? chatId : null, match === 'exact-arguments' ? [input] : null];
  return createHash('sha256')
    .update(canonicalJson([personId, ...reach, ...definition]))
    .digest('base64url');
}

/**
 * What a person was told of a tool, and what the tool was held to, when the approval was given. Rules are functions,
 * and are asked anew at each use; that there is one is told here.
 */
async function definitionOf(settings: FlowSettings, toolName: string): Promise<unknown[]> {
  const tool = toolNamed(settings, toolName);
  const { risk, approvers, secrets } = detailsOf(settings, toolName);
  // A description that is made anew for each call cannot be compared, so only its being one is.
  const description = typeof tool?.description === 'function' ? true : tool?.description;
  const inputSchema = tool && (await asSchema(tool.inputSchema).jsonSchema);
  const executor = executorOf(tool, false);
  const facts = { description, inputSchema, executor, risk, secrets, isRuled: approvers !== undefined };
  return [toolName, facts];
}
