// depends on: tests/upgrade
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ChatView } from '../../../lib/flow/methods/chats.ts';
import { ada, bob } from '../fixture-flow.ts';

/** A chat as the older version left it. */
export type OldChat = {
  readonly owner: string;
  readonly status: string;
  /** The id of its open question. */
  readonly open?: string;
  readonly messages: readonly unknown[];
  readonly record: { readonly entries: number; readonly head: string };
};

export const oldChats: Readonly<Record<string, OldChat>> = JSON.parse(
  readFileSync(join(inject('upgradeFixture'), 'chats.json'), 'utf8'),
);

/** The owner of a chat. */
export function ownerOf(id: string) {
  return oldChats[id]?.owner === bob.id ? bob : ada;
}

/** A message as a user sees it. Other fields may change from version to version. */
export function shown({ id, role, parts }: ChatView['messages'][number]) {
  const seen = parts.flatMap((part): object[] => {
    if (part.type === 'text') return [{ type: part.type, text: part.text }];
    if (!('toolCallId' in part)) return [];
    const { type, toolCallId, state, input, output, errorText } = part;
    const toolName = 'toolName' in part ? part.toolName : undefined;
    return [{ type, toolCallId, toolName, state, input, output, errorText }];
  });
  return JSON.parse(JSON.stringify({ id, role, parts: seen }));
}
