// @vitest-environment jsdom
// depends on: lib/react app
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { bareTextsIn } from '../support/bare-texts.ts';
import { button, loaded, onCardPage, passTime, questionOf, write } from '../support/card-fixture.ts';
import { FormCard } from '../support/form-card.ts';

const files = globSync(['lib/react/**/*.tsx', 'lib/plugins/*/react/**/*.tsx', 'app/**/*.tsx']);
const folder = mkdtempSync(join(tmpdir(), 'bare-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Puts another text in the place of each, as the translators of browsers do. */
function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ data }) => data.trim() !== '')) {
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
  }
}

describe('a page that a browser translates', () => {
  onCardPage();

  it('shows a question that is edited, and the edit is approved', async () => {
    const onAnswer = vi.fn();
    const question = questionOf({ mayEdit: true, risk: 'high' });
    const loadInputSchema = async () => ({ type: 'object', properties: { amount: { type: 'number' } } });
    render(<FormCard question={question} onAnswer={onAnswer} loadInputSchema={loadInputSchema} />);
    await passTime();
    translate();
    fireEvent.click(button('Edit'));
    await loaded();
    translate();
    write(/^Amount/, '20');
    await passTime();
    translate();
    write(/^Amount/, '30');
    await passTime();
    translate();
    write(/^Amount/, '20');
    await passTime();
    fireEvent.click(screen.getByRole('button', { name: /^Approve/ }));
    await passTime();
    expect(onAnswer).toHaveBeenCalledWith(expect.objectContaining({ approved: true, input: { amount: 20 } }));
  });

  it('has no bare text next to an element that comes and goes, and no component renders one', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(bareTextsIn)).toEqual([]);
  });

  it.each([
    ['<p>{isNew && <b>New</b>} of two</p>', 1],
    ['<p>{count} {isNew && <b>New</b>}</p>', 1],
    ['<p>{isNew && `New `}<b>one</b></p>', 1],
    ['<p>{children ?? <>One {isNew && <b>New</b>}</>}</p>', 1],
    ['<p>{items.map((item) => <b key={item}>{item}</b>)} and more</p>', 1],
    ['<p><Maybe /> of two</p>', 1],
    ['createElement("h2", {}, isNew && <b>New</b>, " of two")', 1],
    ['<>of two</>', 1],
    ['<p>{isNew ? <b>New</b> : "old"}</p>', 0],
    ['<p>one <b>of</b> two</p>', 0],
    ['<p>{isNew ? "one" : "another"} <b>of</b> two</p>', 0],
    ['<p>{isNew && <b>New</b>} <span>of two</span></p>', 0],
    ['<p><Always /> of two</p>', 0],
  ])('%s breaks the rule %i times', (shown, times) => {
    const file = join(folder, 'shown.tsx');
    const others = 'function Maybe() { return isNew ? <i /> : null; } function Always() { return <i />; }';
    writeFileSync(file, `function Shown() { return ${shown}; } ${others}`);
    expect(new Set(bareTextsIn(file).map((found) => found.split(' ')[0])).size).toBe(times);
  });
});
