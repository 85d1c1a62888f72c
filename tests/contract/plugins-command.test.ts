import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { UsageError } from '../../lib/cli/command.ts';
import { pluginsCommand } from '../../lib/cli/remove-plugin.ts';

const zod = fileURLToPath(import.meta.resolve('zod'));

it.each([
  [[], 'The only action is "remove".'],
  [['delete', 'remembered'], 'The only action is "remove".'],
  [['remove', '--store', zod], 'Give the name of one plugin.'],
  [['remove', 'a', 'b', '--store', zod], 'Give the name of one plugin.'],
  [['remove', 'remembered'], '--store <module> is required'],
  [['remove', 'remembered', '--store', '/nowhere.js'], 'cannot be loaded'],
  [['remove', 'remembered', '--store', zod], 'does not export a store'],
  [['remove', 'remembered', '--flow', zod], 'Unknown option'],
])('countersign plugins refuses the arguments %j', async (args, message) => {
  const terminal = { env: {}, print: () => {}, complain: () => {} };
  await expect(pluginsCommand(args, terminal)).rejects.toThrow(UsageError);
  await expect(pluginsCommand(args, terminal)).rejects.toThrow(message);
});
