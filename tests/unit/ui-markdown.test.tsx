// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { loadMarkdown, Markdown } from '../../app/_ui/markdown.tsx';
import { untilIdle } from '../support/until-idle.ts';

vi.mock('../../app/_ui/markdown-prose.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

afterEach(cleanup);

it('shows the text in paragraphs when the code for Markdown cannot be loaded', async () => {
  loadMarkdown();
  render(<Markdown text={'One *word*.\n\nAnother.'} />);
  await act(untilIdle);
  await act(untilIdle);
  expect(screen.getByText('One *word*.').tagName).toBe('P');
  expect(screen.getByText('Another.').tagName).toBe('P');
});
