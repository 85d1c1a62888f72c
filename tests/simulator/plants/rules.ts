/** The rules that have planted bugs, in the order of these. `plugin`: a file of the plugin that all of them need. */
export const plantedRules: readonly { readonly rule: string; readonly plugin?: string }[] = [
  ...['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10', 'A11', 'C1', 'C2', '0031'].map((rule) => ({
    rule,
  })),
  { rule: '0036', plugin: 'lib/plugins/imports/index.ts' },
  { rule: 'tool events A22', plugin: 'lib/plugins/tool-events/index.ts' },
  { rule: 'two-step stream B19', plugin: 'lib/plugins/two-step-stream/index.ts' },
  { rule: 'two-step stream B17', plugin: 'lib/plugins/two-step-stream/index.ts' },
  { rule: 'chat socket D2', plugin: 'lib/plugins/chat-socket/index.ts' },
  { rule: 'chat socket D21', plugin: 'lib/plugins/chat-socket/index.ts' },
  { rule: 'responses C12', plugin: 'lib/plugins/responses/index.ts' },
  { rule: 'responses C4', plugin: 'lib/plugins/responses/index.ts' },
  { rule: 'responses C18', plugin: 'lib/plugins/responses/index.ts' },
  { rule: '0011' },
  { rule: '0043', plugin: 'lib/plugins/subscriptions/index.ts' },
  { rule: '0047', plugin: 'lib/plugins/votes/index.ts' },
  { rule: '0048', plugin: 'lib/plugins/escalation/index.ts' },
  { rule: '0049', plugin: 'lib/plugins/delegation/index.ts' },
  { rule: '0056' },
];
