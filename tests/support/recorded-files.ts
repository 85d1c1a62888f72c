import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

const folder = 'docs/protocol/recorded';
const index = join(folder, 'index.json');
const isRecording = process.env.RECORD_EXAMPLES === '1';

type Index = { readonly version: number; readonly files: Readonly<Record<string, string>> };

/** Names of all recorded streams: `two-step-stream/question.txt`. */
export function recordedFiles(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.txt')).sort();
}

/** A recorded stream. */
export function recordedFile(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** Compares what travelled with the recorded file. With `RECORD_EXAMPLES=1`, the file is written instead. */
export function expectRecordedFile(name: string, text: string): void {
  const path = join(folder, name);
  if (!isRecording) {
    expect(text).toBe(readFileSync(path, 'utf8'));
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Compares the index with the files. A recording that changed a file raises the version. */
export function expectIndex(): void {
  const digest = (name: string) => createHash('sha256').update(recordedFile(name)).digest('hex');
  const files = Object.fromEntries(recordedFiles().map((name) => [name, digest(name)]));
  const known: Index = JSON.parse(readFileSync(index, 'utf8'));
  const isSame = JSON.stringify(known.files) === JSON.stringify(files);
  if (isRecording && !isSame) {
    const next = { version: known.version + 1, files };
    writeFileSync(index, `${JSON.stringify(next, null, 2)}\n`);
    return;
  }
  expect(known.files).toEqual(files);
}
