import type { PromiseMutant } from '../promise-mutant.ts';

/** The command line, and agents that ask over MCP. */
export const cliMutants: readonly PromiseMutant[] = [
  {
    name: 'a-broken-store-has-the-exit-code-of-a-whole-one',
    promise: '0010: The exit code of a broken record is 1.',
    patches: [
      {
        file: 'lib/cli/verify-audit.ts',
        find: '  if (faults.length > 0) return broken;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/record/verify-store-command.test.ts', 'tests/contract/verify-audit.test.ts'],
  },
  {
    name: 'a-changed-question-has-the-exit-code-of-a-settled-one',
    promise: '0044.3: Exit codes are part of the interface, and keep their meaning.',
    patches: [
      {
        file: 'lib/cli/approvals/exit-code.ts',
        find: "'question-changed': exits.changed,",
        replace: "'question-changed': exits.settled,",
      },
    ],
    suites: ['tests/unit/exit-codes.test.ts'],
  },
  {
    name: 'a-text-imitates-a-line-of-the-terminal',
    promise: '0044.2: No text can control the terminal or imitate a line of the program.',
    patches: [
      {
        file: 'lib/cli/approvals/terminal-text.ts',
        find: String.raw`return visibleText(text).replaceAll(/[\n\r\t]/g, (character) => breaks[character] ?? '');`,
        replace: 'return visibleText(text);',
      },
    ],
    suites: ['tests/contract/hostile-terminal.test.ts'],
  },
  {
    name: 'a-text-controls-the-terminal',
    promise: '0044.2: No text can control the terminal or imitate a line of the program.',
    patches: [
      {
        file: 'lib/cli/approvals/terminal-text.ts',
        find: 'return visibleText(text).replaceAll(',
        replace: 'return text.replaceAll(',
      },
    ],
    suites: ['tests/contract/hostile-terminal.test.ts'],
  },
  {
    name: 'an-older-digest-is-answered',
    promise: '0044.4: With `--digest`, only what was shown before is answered.',
    patches: [
      {
        file: 'lib/cli/approvals/answer.ts',
        find: 'if (said.digest !== undefined && said.digest !== shownDigest(approval)) {',
        replace: 'if (said.digest !== undefined && shownDigest(approval) === undefined) {',
      },
    ],
    suites: ['tests/contract/approvals-command.test.ts', 'tests/adr/0044-commands-and-agents.test.ts'],
  },
  {
    name: 'a-high-risk-is-approved-without-a-word',
    promise: '0044: An approval with a high risk is confirmed, or given with `--yes`.',
    patches: [
      {
        file: 'lib/cli/approvals/answer.ts',
        find: "const isHigh = approval.risk === 'high';",
        replace: 'const isHigh = approval.risk === undefined;',
      },
    ],
    suites: ['tests/contract/approvals-command.test.ts'],
  },
  {
    name: 'anything-typed-is-a-confirmation',
    promise: '0044: An approval with a high risk is confirmed by the word yes.',
    patches: [
      {
        file: 'lib/cli/approvals/answer.ts',
        find: "if ((await prompt(question)).trim().toLowerCase() === 'yes') return;",
        replace: "if ((await prompt(question)).trim().toLowerCase() !== 'no') return;",
      },
    ],
    suites: ['tests/contract/approvals-command.test.ts'],
  },
  {
    name: 'keys-of-agents-are-shared',
    promise: '0044: Keys of other principals do not matter.',
    patches: [
      {
        file: 'lib/plugins/agent-requests/request-approval.ts',
        find: "canonicalJson(['agent-request', id, key])",
        replace: "canonicalJson(['agent-request', id.slice(0, 0), key])",
      },
    ],
    suites: ['tests/contract/agent-requests.test.ts', 'tests/adr/0044-commands-and-agents.test.ts'],
  },
  {
    name: 'a-key-of-an-agent-is-used-for-another-request',
    promise: 'H-Errors: A key that was used for another request is refused with `key-reused`.',
    patches: [
      {
        file: 'lib/plugins/agent-requests/request-approval.ts',
        find: "  if (first && !isSameJson(first.input, input)) throw reused('for another request');\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/agent-requests.test.ts'],
  },
];
