// depends on: only its imports
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** An external effect of a tool. */
export type Effect = { readonly chatId: string; readonly toolCallId: string; readonly to: string };

/** Records an effect of a call. It survives the process: a line in a file, flushed to disk when this returns. */
export function haveEffect(path: string, effect: Effect): void {
  const file = openSync(path, 'a');
  writeSync(file, `${JSON.stringify(effect)}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** All effects in one chat. */
export function effectsIn(path: string, chatId: string): Effect[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line): Effect => JSON.parse(line)).filter((effect) => effect.chatId === chatId);
}
