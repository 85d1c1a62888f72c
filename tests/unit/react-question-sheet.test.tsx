import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Principal, parseChatId } from '../../lib/protocol/index.ts';
import { QuestionSheet } from '../../lib/react/sheet/question-sheet.tsx';
import { useQuestionSheet } from '../../lib/react/sheet/use-question-sheet.ts';
import { ada, countingTools, questionIn } from '../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

/** A real server with one question of Ada's, in a sealed record. */
async function served(settings = {}) {
  const script = [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Done.' }]];
  const fixture = await serveFixture(script, { auditKey: 'a key of enough characters', ...settings });
  const id = questionIn(await fixture.chat().say('Pay.'));
  return { ...fixture, id };
}

/** The page of one question, as a person sees it. */
function openQuestion(url: string, id: string, user?: string) {
  const as: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...init?.headers, ...(user !== undefined && { [userHeader]: user }) },
    });
  function Page() {
    const { state, sheet, answer, resolve } = useQuestionSheet(id, {
      api: `${url}/api/approvals`,
      chatApi: `${url}/api/chat`,
      fetch: as,
    });
    if (!sheet) return state;
    return <QuestionSheet sheet={sheet} onAnswer={answer} onResolve={resolve} chatHref="/chats/chat" />;
  }
  render(<Page />);
}

const sheet = () => screen.findByRole('article', { name: 'Request' });

describe('the sheet of a question', () => {
  it('shows what was asked, takes the answer, and then shows who gave it, and the seals', async () => {
    const { url, id, flow, ran } = await served();
    openQuestion(url, id);
    const page = within(await sheet());
    expect((await sheet()).textContent).toMatch(/Alice.*30.*Tool digest\S+/s);
    expect(page.getByRole('link').getAttribute('href')).toBe('/chats/chat');
    expect(page.getAllByRole('row').map(({ textContent }) => textContent)).toHaveLength(2);

    const approve = page.getByRole('button', { name: /^Approve/ });
    await waitFor(() => expect(approve.getAttribute('aria-disabled')).toBe('false'));
    fireEvent.click(approve);
    await page.findByText('Ended');
    await waitFor(() => expect(ran).toHaveLength(1));
    expect((await sheet()).textContent).toMatch(/Answered.*, Ada, over http/s);
    const { entries } = await flow.audit.read({ principal: ada, chatId: parseChatId('chat') });
    for (const { seal } of entries) page.getByText(seal);
  });

  it('says what came of the call, and records it where that is unknown', async () => {
    const execute = async (): Promise<string> => {
      throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
    };
    const { tools } = countingTools();
    const { url, id, flow } = await served({
      tools: { ...tools, pay: { ...tools.pay, execute } },
      mayAnswer: ({ id }: Principal) => id === 'ben',
    });
    const ben = { id: 'ben', name: 'ben' };
    await flow.approvals.answer({ principal: ben, approvalId: id as never, via: 'http', approved: true });
    openQuestion(url, id, 'ben');
    await screen.findByRole('heading', { name: 'Outcome' });
    expect((await sheet()).textContent).toMatch(/OutcomeOutcome unknown/);
    fireEvent.click(screen.getByLabelText("It didn't run"));
    fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'No such transfer.' } });
    const save = screen.getByRole('button', { name: 'Record outcome' });
    save.focus();
    await waitFor(async () => {
      fireEvent.click(save);
      expect((await sheet()).textContent).toMatch(
        /Outcomeben recorded that it didn't run, .*No such transfer\./,
      );
    });
    expect(screen.queryByRole('heading', { name: 'Outcome' })).toBeNull();
    expect(document.activeElement).toBe(await sheet());
  });

  it('has no seals for a person who may answer, but not see the chat', async () => {
    const mayAnswer = ({ id }: Principal) => id === 'ben';
    const { url, id } = await served({ mayAnswer });
    openQuestion(url, id, 'ben');
    await sheet();
    screen.getByText('The sealed record has no entries about this request that you can see.');
    expect(screen.queryByRole('table')).toBeNull();
    screen.getByRole('button', { name: /^Approve/ });
  });

  it('is not found for a stranger, or for an unknown id', async () => {
    const { url, id } = await served();
    openQuestion(url, id, 'eve');
    await screen.findByText('missing');
    cleanup();
    openQuestion(url, `${id}x`);
    await screen.findByText('missing');
  });
});
