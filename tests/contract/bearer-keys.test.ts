import { describe, expect, it } from 'vitest';
import { createBearerIdentity } from '../../lib/http/bearer-keys.ts';

const key = 'k'.repeat(24);
const request = (authorization?: string) =>
  new Request('http://localhost/', { headers: authorization === undefined ? {} : { authorization } });

describe('H, Identity: bearer keys', () => {
  const authorize = createBearerIdentity(`ci:${key}, ${'x'.repeat(16)}`);

  it('knows a named key by its name, and any other by a digest of it', async () => {
    expect(await authorize(request(`Bearer ${key}`))).toEqual({ id: 'key:ci', name: 'ci' });
    const other = await authorize(request(`bearer ${'x'.repeat(16)}`));
    expect(other?.id).toMatch(/^key:[0-9a-f]{8}$/);
  });

  it.each([undefined, 'Basic abc', 'Bearer', `Bearer ${key} more`])('leaves %s to others', async (header) => {
    expect(await authorize(request(header))).toBeNull();
  });

  it.each([key.slice(1), `${key}k`, 'ci', `ci:${key}`])('refuses the key %s', (given) => {
    expect(() => authorize(request(`Bearer ${given}`))).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });

  it('leaves every request to others where no keys are set', async () => {
    expect(await createBearerIdentity('')(request(`Bearer ${key}`))).toBeNull();
  });

  it('refuses a short key at start-up', () => {
    expect(() => createBearerIdentity('ci:short')).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: { path: 'list[0]' } }),
    );
  });
});
