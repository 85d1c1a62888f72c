import type { UsedGrant } from '../../../lib/protocol/index.ts';

/** The rejected match: a remembered approval covers every tool with the same name. */
export function coversByName(grants: readonly Pick<UsedGrant, 'toolName'>[], toolName: string): boolean {
  return grants.some((grant) => grant.toolName === toolName);
}
