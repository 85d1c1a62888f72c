import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const folder = 'docs/protocol';

/** The location of an example in its page: the comment that names it, and the fenced block after it, if any. */
function placeOf(name: string): RegExp {
  return new RegExp(`(<!-- recorded: ${name} -->\n)(?:\n\`\`\`(?:text|json)\n([\\s\\S]*?)\n\`\`\`\n)?`);
}

/** Names of the examples in the protocol's pages. */
export function recordedExamples(): string[] {
  return pages().flatMap(({ text }) =>
    [...text.matchAll(/<!-- recorded: (\S+) -->/g)].map(([, name = '']) => name),
  );
}

/**
 * Compares what the server sent with the example of this name in docs/protocol. With `RECORD_EXAMPLES=1`, the
 * page is updated instead.
 */
export function expectRecorded(name: string, sent: string, language: 'text' | 'json' = 'text'): void {
  const page = pages().find(({ text }) => placeOf(name).test(text));
  if (!page) throw new Error(`No page of ${folder} has an example ${name}.`);
  const body = sent.trimEnd();
  if (process.env.RECORD_EXAMPLES === '1') {
    const block = `\n\`\`\`${language}\n${body}\n\`\`\`\n`;
    writeFileSync(
      page.path,
      page.text.replace(placeOf(name), (_, mark) => `${mark}${block}`),
    );
    return;
  }
  expect(body).toBe(placeOf(name).exec(page.text)?.[2]);
}

function pages(): { path: string; text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}
