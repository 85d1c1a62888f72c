import { expect, it } from 'vitest';
import { selectQuick } from '../../scripts/test/select-quick.mjs';

it('npm run test:quick takes unit tests and the rules of the flow, and counts the others by reason', () => {
  const sources: Record<string, string> = {
    'tests/unit/json.test.ts': '',
    'tests/unit/snippets.test.ts': '',
    'tests/unit/react-tab.test.tsx': "vi.stubGlobal('Notification', fake);",
    'tests/contract/flow/gate.test.ts': '',
    'tests/contract/flow/former-ids.test.ts': 'const postgres = setUpPostgres();',
    'tests/contract/slack.test.ts': '',
    'tests/browser/inbox.test.ts': '',
  };
  expect(selectQuick(Object.keys(sources), (file) => sources[file] ?? '')).toEqual({
    files: ['tests/unit/json.test.ts', 'tests/contract/flow/gate.test.ts'],
    leftOut: [
      [2, 'of contract except flow, browser'],
      [1, 'that cannot share the process of their folder'],
      [2, 'that start a database server, compilers, Vitest or commands, or play many turns'],
    ],
  });
});
