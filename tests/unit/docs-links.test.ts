// depends on: docs README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPictures, readDocuments } from '../../app/docs/_content/documents.ts';
import { outlineOf } from '../../app/docs/_content/outline.ts';
import { targetOf } from '../../app/docs/_content/targets.ts';

const documents = await readDocuments('.');
const shown = {
  pages: new Map(documents.map(({ file, href }) => [file, href])),
  pictures: new Set(await listPictures('.')),
};
const anchors = new Map(
  documents.map(({ file, text }) => [file, new Set(outlineOf(text).map(({ id }) => id))]),
);

/** Where a document's links lead, without those of the web and without code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^\s*(```+|~~~+)[\s\S]*?^\s*\1\s*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^https?:/.test(href));
}

describe('links of the documentation', () => {
  it.each(documents.map(({ file, text }) => ({ file, text })))(
    'lead somewhere from $file',
    ({ file, text }) => {
      const broken = linksOf(text).filter((href) => {
        const [path = '', anchor] = href.split('#');
        const named = path === '' ? file : posix.join(posix.dirname(file), path);
        return !existsSync(named) || (anchor !== undefined && anchors.get(named)?.has(anchor) !== true);
      });

      expect(broken).toEqual([]);
    },
  );

  it.each([
    { href: '../adr/0004-response-timing.md', leads: '/docs/adr/0004-response-timing' },
    { href: '../adr/README.md#decisions', leads: '/docs/adr#decisions' },
    { href: '../architecture.svg', leads: '/docs/pictures/architecture.svg' },
    { href: '../../CHANGELOG.md', leads: '/docs/changelog' },
    { href: '#4-ask', leads: '#4-ask' },
    { href: 'https://ai-sdk.dev', leads: 'https://ai-sdk.dev' },
  ])('from a guide lead by $href to $leads', ({ href, leads }) => {
    expect(targetOf(href, 'docs/guides/gate-a-tool.md', shown)).toMatchObject({ href: leads });
  });

  it.each([
    '../../lib/sse/client.ts',
    '../../package.json',
    '../../.countersign/secret',
    '/etc/passwd',
    '../../../../etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
  ])('from a guide lead nowhere by %s', (href) => {
    expect(targetOf(href, 'docs/guides/gate-a-tool.md', shown)).toEqual({ type: 'none' });
  });

  it('number duplicate anchors, and ignore headings in code', () => {
    const headings = outlineOf('# Call\n\n## call\n\n```sh\n# not a heading\n```\n\n## `a.b`: [c](d.md)\n');

    expect(headings.map(({ level, id }) => ({ level, id }))).toEqual([
      { level: 1, id: 'call' },
      { level: 2, id: 'call-1' },
      { level: 2, id: 'ab-c' },
    ]);
  });
});
