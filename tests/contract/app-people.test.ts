import { expect, it } from 'vitest';
import { readSettings } from '../../app/_server/settings.ts';

const secret = { COUNTERSIGN_SECRET: 'a secret that only the server knows' };

it('the people whom channels can reach are in the environment [H-Configuration]', () => {
  expect(readSettings(secret).people).toEqual([]);
  const people = JSON.stringify([{ name: 'Ben', role: 'manager', slack: 'U0BEN', email: 'ben@example.com' }]);
  expect(readSettings({ ...secret, COUNTERSIGN_PEOPLE: people }).people).toMatchObject([
    { principal: { name: 'Ben', role: 'manager' }, slack: 'U0BEN' },
  ]);
});

it.each([
  ['that are no JSON', 'Ben', /COUNTERSIGN_PEOPLE is not valid/],
  ['with another field', '[{"name":"Ben","mail":"b@c.de"}]', /Only the name/],
])('people %s are refused [H-Configuration]', (_, value, message) => {
  expect(() => readSettings({ ...secret, COUNTERSIGN_PEOPLE: value })).toThrow(message);
});
