// depends on: app lib
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChatId } from 'countersign/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';

it('the id of a new chat is 128 bits of the system’s randomness, in a form that the server accepts [0012.16]', () => {
  const predictable = vi.spyOn(Math, 'random');
  onTestFinished(() => predictable.mockRestore());
  const ids = Array.from({ length: 1_000 }, createChatId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(parseChatId(id)).toBe(id);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    expect(Buffer.from(id, 'base64url').toString('base64url')).toBe(id);
  }
  expect(predictable).not.toHaveBeenCalled();
});

it('no page, transport or dialect creates ids with the generators of `ai` [0012.16]', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('{app,lib/!(testing|cli)}/**/*.{ts,tsx}', {
    cwd: root,
  });
  expect(files.length).toBeGreaterThan(100);
  const predictable = files.filter((file) =>
    /(\bgenerateId\b|\bcreateIdGenerator\b|Math\.random\()/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(predictable).toEqual([]);
});

it.each(['a', 'A-z_09', 'x'.repeat(128)])('accepts the chat id %j [H-Ids]', (id) => {
  expect(parseChatId(id)).toBe(id);
});

it.each([
  '',
  'x'.repeat(129),
  'a b',
  'a/b',
  'é',
  7,
  undefined,
  ...['message', 'stream', 'socket', '__proto__', 'constructor', 'prototype'],
])('refuses the chat id %j [H-Ids]', (id) => {
  expect(() => parseChatId(id)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
});
