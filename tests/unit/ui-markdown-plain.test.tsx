// depends on: app/_ui
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '../../app/_ui/markdown.tsx';
import MarkdownProse from '../../app/_ui/markdown-prose.tsx';

/** The HTML without the line breaks between elements. */
const htmlOf = (element: ReactElement) => renderToString(element).replaceAll('>\n<', '><');

describe('a text of the assistant', () => {
  it.each(['One line.', 'Two\nlines.', 'One.\n\nAnother (30 USD): “done”!', 'Well - 2 x 3 = 6, 50%.'])(
    'is the same with and without the code for Markdown if it has none: %j',
    (text) => {
      const html = htmlOf(<Markdown text={text} />);
      expect(html).not.toContain('<!--$');
      expect(html).toBe(htmlOf(<MarkdownProse text={text} />));
    },
  );

  it.each([
    ...[
      '*a*',
      '_a_',
      '`a`',
      '# a',
      '~~a~~',
      '| a |\n| - |',
      '<a@b.com>',
      '[a](b)',
      '> a',
      'a\n===',
      'a\n---',
      '---',
    ],
    ...[
      '- a',
      '+ a',
      '1. a',
      '2) a',
      '    a',
      '\ta',
      'a  \nb',
      'a\\\nb',
      '&amp;',
      'www.a.com',
      'http://a.com',
      'a@b.com',
    ],
    ...['a\n- b', '-', ' 1.'],
  ])('loads the code for Markdown if it has some: %j', (text) => {
    expect(renderToString(<Markdown text={text} />)).toContain('<!--$');
  });
});
