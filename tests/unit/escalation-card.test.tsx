// @vitest-environment jsdom
import { cleanup, configure, render, screen } from '@testing-library/react';
import type { EscalationState } from 'countersign/plugins/escalation';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalCard } from '../../lib/react/card/approval-card.tsx';
import { InboxFacts } from '../../lib/react/inbox/list/inbox-facts.tsx';
import { questionOf } from '../support/card-fixture.ts';
import { cardPluginsIn, withPlugins } from '../support/card-plugins.ts';
import { germanEscalation } from '../support/escalation-in-german.ts';
import { waitFor } from '../support/wait-for.ts';

configure({ asyncUtilTimeout: 10_000 });

const question = questionOf({});

const now = Date.parse('2030-01-01T12:00:00Z');
const at = new Date(now - 60_000).toISOString();
const deadline = new Date(now + 60_000).toISOString();
const moment = (time: string) =>
  new Date(time).toLocaleString(undefined, { hour: '2-digit', minute: '2-digit' });

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
});

const show = (content: ReactNode) => render(withPlugins(content));

const endsAs = (then: 'deny' | 'withdraw' | 'ask-again') => ({ end: { at: deadline, then } });

describe('what a person reads about the escalation of a question', () => {
  const rows: [string, Partial<Question> & { escalation?: Partial<EscalationState> }, string | undefined][] =
    [
      ['without escalation', {}, undefined],
      ['before the first step', { escalation: { step: 0 } }, undefined],
      [
        'after a step',
        { escalation: { step: 1, at, label: 'managers' } },
        `Escalated to managers at ${moment(at)}.`,
      ],
      ['after a step without a label', { escalation: { step: 1, at } }, `Escalated at ${moment(at)}.`],
      [
        'that will be denied',
        { escalation: { step: 0, ...endsAs('deny') } },
        `Will be denied at ${moment(deadline)} if nobody answers.`,
      ],
      [
        'that was escalated and will be withdrawn',
        { escalation: { step: 1, at, label: 'managers', ...endsAs('withdraw') } },
        `Escalated to managers at ${moment(at)}. Will be withdrawn at ${moment(deadline)} if nobody answers.`,
      ],
      [
        'that will be asked again',
        { escalation: { step: 0, ...endsAs('ask-again') } },
        `Will be requested again at ${moment(deadline)} if nobody answers.`,
      ],
      [
        'that was denied after a step',
        { state: 'denied', escalation: { step: 1, at, label: 'managers', ...endsAs('deny') } },
        `Escalated to managers at ${moment(at)}.`,
      ],
      [
        'whose label hides its direction',
        { escalation: { step: 1, at, label: 'man\u202Eagers' } },
        `Escalated to man\u2068U+202E\u2069agers at ${moment(at)}.`,
      ],
    ];

  const line = (part: string) => document.querySelector(`[data-countersign="${part}"]`);

  it.each(rows)('on the card of a question %s', async (_, given, expected) => {
    const { escalation, ...more } = given;
    const plugins = escalation && { escalation: { steps: [], step: 0, ...escalation } };
    show(<ApprovalCard question={{ ...question, ...more, plugins }} onAnswer={() => undefined} />);
    if (expected === undefined) return expect(line('card-lines')).toBeNull();
    await waitFor(() => expect(line('card-lines')?.textContent?.trim()).not.toBe(''));
    if (escalation?.label?.includes('\u202E')) {
      expect(line('card-lines')?.textContent).not.toContain('\u202E');
    } else expect(line('card-lines')?.textContent?.trim()).toBe(expected);
  });

  it.each([true, false])(
    'in a row of the inbox, whether the person may answer (%s) or not',
    async (mayAnswer) => {
      const escalation = { steps: [], step: 1, at, label: 'managers', ...endsAs('deny') };
      show(<InboxFacts question={{ ...question, mayAnswer, plugins: { escalation } }} now={now} />);
      await waitFor(() =>
        expect(line('inbox-item-lines')?.textContent).toBe(
          `Escalated to managers at ${moment(at)}. Will be denied at ${moment(deadline)} if nobody answers.`,
        ),
      );
    },
  );

  it('in the language of the page', async () => {
    const escalation = { steps: [], step: 1, at, label: 'die Leitung', ...endsAs('deny') };
    render(
      withPlugins(
        <ApprovalCard question={{ ...question, plugins: { escalation } }} onAnswer={() => undefined} />,
        cardPluginsIn({ escalation: germanEscalation }),
      ),
    );
    expect(await screen.findByText(/weitergeleitet an die Leitung/)).toBeTruthy();
    expect(screen.getByText(/abgelehnt, wenn niemand antwortet/)).toBeTruthy();
  });
});
