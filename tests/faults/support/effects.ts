import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** What a tool did in the world, as the world remembers it. */
export type Effect = { readonly chatId: string; readonly toolCallId: string; readonly to: string };

/** Happens once for every call, and outlives the process: a line in a file, on the disk when this returns. */
export function haveEffect(path: string, effect: Effect): void {
  const file = openSync(path, 'a');
  writeSync(file, `${JSON.stringify(effect)}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** Everything that ever happened in one chat. */
export function effectsIn(path: string, chatId: string): Effect[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line): Effect => JSON.parse(line)).filter((effect) => effect.chatId === chatId);
}
