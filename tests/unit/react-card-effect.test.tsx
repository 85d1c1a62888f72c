// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { asSchema } from 'ai';
import { useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalCard, type ApprovalCardProps } from '../../lib/react/card/approval-card.tsx';
import { QuestionContext } from '../../lib/react/card/evidence/question-context.tsx';
import { onCardPage, passTime, questionOf } from '../support/card-fixture.ts';
import { withPlugins } from '../support/card-plugins.ts';
import { FormCard } from '../support/form-card.ts';

const now = Date.UTC(2030, 0, 1);
const minute = 60_000;
const at = (agoMs: number) => new Date(now - agoMs).toISOString();
const effect = (summary: string, digest: string, agoMs = 0) =>
  ({ state: 'made', at: at(agoMs), summary, digest }) as const;

const question = questionOf({
  toolName: 'update',
  title: 'Update',
  input: { status: 'active' },
  description: 'Set every user to active.',
  mayEdit: true,
});

async function show(given: Partial<Question>, props: Partial<ApprovalCardProps> = {}) {
  const onAnswer = vi.fn();
  const loadPreview = vi.fn<NonNullable<ApprovalCardProps['loadPreview']>>(async () => ({ description: '' }));
  const schema = async () => asSchema(z.object({ status: z.string() })).jsonSchema;
  const all = { onAnswer, loadPreview, loadInputSchema: schema, ...props };
  const shown = render(<FormCard question={{ ...question, ...given }} {...all} />);
  await passTime(400);
  return { onAnswer, loadPreview, ...shown };
}

const shownEffect = () => screen.getByRole('group', { name: 'Effect' });
const heading = () => screen.getByRole('heading').textContent;
const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

onCardPage(now);

describe('the effect on a card [ADR 0040]', () => {
  it('shows sentence, totals, lists, tables with their row count, and differences', async () => {
    await show({
      preview: {
        ...effect('2 users → active', 'd'),
        parts: [
          { type: 'totals', totals: [{ label: 'users', value: 2 }] },
          { type: 'list', title: 'Files', items: ['a.md'] },
          { type: 'table', rows: [{ name: 'Ada' }, { name: 'Bob' }], rowCount: 900 },
          { type: 'diff', before: 'a\nold\nz', after: 'a\nnew\nz' },
        ],
      },
    });
    const text = shownEffect().textContent;
    for (const part of ['2 users → active', 'Users', 'a.md', '900 rows', 'and 898 more']) {
      expect(text).toContain(part);
    }
    expect(shownEffect().querySelector('pre')?.textContent).toBe('  a\n− old\n+ new\n  z\n');
    expect(shownEffect().querySelector('del')?.textContent).toBe('− old\n');
  });

  it.each([
    [undefined, "The effect of this request couldn't be determined."],
    [true, "The effect of this request couldn't be determined. You can deny it, or try again later."],
  ] as const)('says if it is not known (required: %s)', async (required, words) => {
    await show({ preview: { state: 'failed', at: at(0), ...(required && { required }) } });
    expect(shownEffect().textContent).toContain(words);
    expect(shownEffect().getAttribute('data-state')).toBe('failed');
  });

  it('goes with an approval by its digest, and not with a denial', async () => {
    const first = await show({ preview: effect('2 users', 'shown') });
    press(/^Approve/);
    expect(first.onAnswer).toHaveBeenCalledWith({ approved: true, previewDigest: 'shown' });
    expect(first.loadPreview).not.toHaveBeenCalled();
    first.unmount();
    const second = await show({ preview: effect('2 users', 'shown') });
    press(/^Deny/);
    expect(second.onAnswer).toHaveBeenCalledWith({ approved: false });
  });

  it('is determined again if it is older than a minute, and after a refusal', async () => {
    const loadPreview = vi.fn(async () => ({ description: '', preview: effect('900 users', 'new') }));
    const onAnswer = vi.fn(() => Promise.reject(new Error('The effect has changed.')));
    await show({ preview: effect('2 users', 'old', 2 * minute) }, { loadPreview, onAnswer });
    await passTime(400);
    expect(loadPreview).toHaveBeenCalledTimes(1);
    expect(shownEffect().textContent).toContain('900 users');
    expect(heading()).toContain('Set every user to active.');
    press(/^Approve/);
    await passTime(400);
    expect(onAnswer).toHaveBeenCalledWith({ approved: true, previewDigest: 'new' });
    expect(loadPreview).toHaveBeenCalledTimes(2);
  });

  it('is not approved in the moment in which it changes', async () => {
    const { onAnswer, rerender } = await show({ preview: effect('10 users', 'shown') });
    const loadPreview = vi.fn(async () => ({ description: '' }));
    const changed = { ...question, preview: effect('10,000 users', 'new') };
    rerender(<ApprovalCard question={changed} onAnswer={onAnswer} loadPreview={loadPreview} />);
    press(/^Approve/);
    expect(onAnswer).not.toHaveBeenCalled();
    await passTime(400);
    press(/^Approve/);
    expect(onAnswer).toHaveBeenCalledWith({ approved: true, previewDigest: 'new' });
  });

  it('is never on the page with an Approve that is ready but ignores the answer', async () => {
    const ready: boolean[] = [];
    function Observer() {
      useLayoutEffect(() => {
        const approve = document.querySelector('[data-countersign="card-approve"]');
        ready.push(approve?.getAttribute('aria-disabled') === 'false');
      });
      return null;
    }
    const shown = (digest: string) => (
      <>
        <ApprovalCard question={{ ...question, preview: effect(digest, digest) }} onAnswer={vi.fn()} />
        <Observer />
      </>
    );
    const { rerender } = render(shown('first'));
    await passTime(400);
    rerender(shown('first'));
    rerender(shown('second'));
    expect(ready).toEqual([false, true, false]);
  });

  it('of edited arguments is requested once, even if the same question is loaded again meanwhile', async () => {
    const loadPreview = vi.fn(async () => ({ description: '', preview: effect('1 user', 'edited') }));
    const given = { ...question, preview: effect('2 users', 'shown') };
    const { rerender } = await show(given, { loadPreview });
    press(/^Edit/);
    await vi.dynamicImportSettled();
    await passTime(400);
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'paused' } });
    await passTime(1_000);
    await passTime(400);
    const again = { ...given, input: { status: 'active' } };
    rerender(<FormCard question={again} onAnswer={vi.fn()} loadPreview={loadPreview} />);
    expect(screen.getByRole('button', { name: /^Approve/ }).getAttribute('aria-disabled')).toBe('false');
    await passTime(1_000);
    expect(loadPreview).toHaveBeenCalledTimes(1);
  });

  it('of edited arguments is waited for, and determined again after a refusal', async () => {
    const loadPreview = vi.fn(async () => ({ description: '', preview: effect('1 user', 'edited') }));
    const onAnswer = vi.fn(() => Promise.reject(new Error('The effect has changed.')));
    await show({ preview: effect('2 users', 'shown') }, { loadPreview, onAnswer });
    press(/^Edit/);
    await vi.dynamicImportSettled();
    await passTime(400);
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'paused' } });
    press(/^Approve/);
    expect(onAnswer).not.toHaveBeenCalled();
    await passTime(1_000);
    await passTime(400);
    loadPreview.mockResolvedValue({ description: '', preview: effect('900 users', 'again') });
    press(/^Approve/);
    await passTime(1_000);
    const answer = { approved: true, input: { status: 'paused' } };
    expect(onAnswer).toHaveBeenLastCalledWith({ ...answer, previewDigest: 'edited' });
    expect(shownEffect().textContent).toContain('900 users');
    await passTime(400);
    press(/^Approve/);
    expect(onAnswer).toHaveBeenLastCalledWith({ ...answer, previewDigest: 'again' });
  });

  it('of edited arguments is not waited for without end', async () => {
    const loadPreview = vi.fn(() => new Promise<never>(() => {}));
    const { onAnswer } = await show({ preview: effect('2 users', 'shown') }, { loadPreview });
    press(/^Edit/);
    await vi.dynamicImportSettled();
    await passTime(400);
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'paused' } });
    await passTime(4_900);
    press(/^Approve/);
    expect(onAnswer).not.toHaveBeenCalled();
    await passTime(600);
    press(/^Approve/);
    expect(onAnswer).toHaveBeenCalledWith({ approved: true, input: { status: 'paused' } });
  });

  it('is not requested for a person who cannot approve', async () => {
    const { loadPreview } = await show({ mayAnswer: false, preview: effect('2 users', 'old', 2 * minute) });
    expect(shownEffect().textContent).toContain('2 users');
    expect(loadPreview).not.toHaveBeenCalled();
  });

  it('and the sentence follow edited arguments, once nothing was typed for a moment', async () => {
    const loadPreview = vi.fn<NonNullable<ApprovalCardProps['loadPreview']>>(async (_question, input) => ({
      description: `Set every user to ${(input as { status: string }).status}.`,
      preview: effect('1 user', 'edited'),
    }));
    const { onAnswer } = await show({ preview: effect('2 users', 'shown') }, { loadPreview });
    press(/^Edit/);
    // The form is a chunk of its own.
    await vi.dynamicImportSettled();
    await passTime(400);
    const write = (value: string) => fireEvent.change(screen.getByLabelText('Status'), { target: { value } });
    write('p');
    await passTime(300);
    write('paused');
    expect(heading()).toContain('Set every user to active.');
    expect(screen.queryByRole('group', { name: 'Effect' })).toBeNull();
    await passTime(400);
    expect(loadPreview).toHaveBeenCalledTimes(1);
    expect(heading()).toContain('Set every user to paused.');
    expect(shownEffect().textContent).toContain('1 user');
    await passTime(400);
    press(/^Approve/);
    const answer = { approved: true, input: { status: 'paused' }, previewDigest: 'edited' };
    expect(onAnswer).toHaveBeenCalledWith(answer);
  });
});

describe('what else a card shows [ADR 0040]', () => {
  const day = 24 * 60 * minute;
  const denied = (agoMs: number) => ({ at: at(agoMs), by: { id: 'ben', name: 'Ben' } });
  it.each([
    [{ count: 0 }, 'First time for Alice.'],
    [{ count: 1, lastAt: at(2 * day) }, 'Once before for Alice, last 2 days ago.'],
    [{ count: 100, lastAt: at(3 * minute) }, '100 or more times before for Alice, last 3 minutes ago.'],
    [{ count: 0, denied: denied(2 * day) }, 'Never completed for Alice. Last denied 2 days ago by Ben.'],
    [
      { count: 3, lastAt: at(day), denied: denied(2 * day) },
      '3 times before for Alice, last 1 day ago. Last denied 2 days ago by Ben.',
    ],
  ])('a history: %o', async (history, words) => {
    await show({ history: { subject: 'Alice', ...history } });
    const shown = document.querySelector('[data-countersign="card-history"]');
    expect(shown?.textContent).toBe(words);
    expect(shown?.hasAttribute('data-new')).toBe(history.count === 0);
  });

  it('a risk with its reason', async () => {
    await show({ risk: 'high', riskReason: 'above 1,000' });
    expect(screen.getByText(/above 1,000/).parentElement?.textContent).toBe('High risk: above 1,000');
  });

  it('each value of a sentence that is partly written from right to left, isolated', async () => {
    const input = { recipient: 'شركة النور', amount: 30, currency: 'USD' };
    const { unmount } = await show({ description: 'Pay شركة النور 30 USD.', input });
    const isolated = [...screen.getByRole('heading').querySelectorAll('bdi')];
    expect(isolated.map(({ textContent }) => textContent)).toEqual(['شركة النور', '30', 'USD']);
    expect(heading()).toContain('Pay شركة النور 30 USD.');
    unmount();
    await show({ description: 'Pay Alice 30 USD.', input: { recipient: 'Alice' } });
    expect(screen.getByRole('heading').querySelector('bdi')).toBeNull();
  });

  it('who may answer, outside of its chat, with the plugin of delegation', async () => {
    const eligible = [
      { id: 'ada', name: 'Ada' },
      { id: 'ben', name: 'Ben' },
    ];
    const load = async () => ({ plugins: { delegation: { eligible, othersEligible: true as const } } });
    const context = <QuestionContext question={question} load={load} />;
    render(withPlugins(context));
    await passTime(400);
    expect(screen.getByText('Can answer: Ada, Ben and others')).toBeDefined();
    cleanup();
    render(context);
    await passTime(400);
    expect(screen.queryByText(/Can answer/)).toBeNull();
  });

  it('what led to the request, outside of its chat', async () => {
    const context = { message: 'Pay Alice.', said: 'I pay now.', maySeeChat: false };
    const load = vi.fn(async () => context);
    const ofAda = { ...question, askedBy: { id: 'ada', name: 'Ada' } };
    render(<QuestionContext question={ofAda} load={load} />);
    await passTime(400);
    const shown = screen.getByRole('group', { name: 'What led to this request' });
    expect(shown.textContent).toBe('Ada Pay Alice.Assistant I pay now.');
    cleanup();
    load.mockRejectedValue(new Error('offline'));
    render(<QuestionContext question={question} load={load} />);
    await passTime(400);
    expect(screen.queryByRole('region')).toBeNull();
  });
});
