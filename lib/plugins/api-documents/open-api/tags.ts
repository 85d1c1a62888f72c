const tags: readonly (readonly [name: string, prefix: string, description: string])[] = [
  ['Chats', '/api/chat', 'Chats, their streams and their records.'],
  ['Approvals', '/api/approvals', 'Questions and their answers.'],
  ['Account', '/api/remembered', 'What belongs to the person who asks.'],
  ['Account', '/api/sessions', ''],
  ['Operations', '/api/operations', 'What needs an operator, and probes.'],
  ['Operations', '/api/health/', ''],
];

/** The tags of the kernel's operations. */
export const kernelTags: readonly { readonly name: string; readonly description: string }[] = tags
  .filter(([, , text]) => text !== '')
  .map(([name, , description]) => ({ name, description }));

/** The kernel's tag of a path. */
export function tagOf(path: string): string | undefined {
  return tags.find(([, prefix]) => path.startsWith(prefix))?.[0];
}
