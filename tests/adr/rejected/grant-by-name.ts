/** The rejected match: a remembered approval covers every tool with the same name. */
export function coversByName(approvals: readonly { readonly toolName: string }[], toolName: string): boolean {
  return approvals.some((approval) => approval.toolName === toolName);
}
