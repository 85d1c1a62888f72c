import type { ToolSet, UIMessage } from 'ai';
import { verifyAudit } from 'countersign/audit';
import { imports } from 'countersign/plugins/imports';
import { remembered } from 'countersign/plugins/remembered';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseMessageId } from '../../../lib/protocol/index.ts';
import { administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { checkLog } from '../../support/check-log.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import {
  ada,
  countingTools,
  type FixtureSettings,
  flowFixture,
  questionIn,
  userMessage,
} from '../../support/flow-fixture.ts';
import { importedPayment, part, pastMessages, person, waiting } from '../../support/imported-chats.ts';

const stores = administeredStoresOfThisRun('SQLite');
const bob = { id: 'bob', name: 'Bob' };
const done = [{ text: 'Done.' }];
const regenerate = { trigger: 'regenerate-message' as const };

const person2 = { ...person, id: 'u2' };

/** Two open approvals of one step, and a call that has ended. */
function twoWaiting(): UIMessage {
  const [two] = waiting('native-2', 'pay', 2).parts.slice(-1);
  const [three] = waiting('native-3', 'pay', 3).parts.slice(-1);
  const settled = part({
    type: 'tool-weather',
    toolCallId: 'old-w',
    state: 'output-available',
    input: { city: 'Tokyo' },
    output: 'Sunny',
  });
  return { id: 'a2', role: 'assistant', parts: [{ type: 'step-start' }, two, settled, three] } as UIMessage;
}

describe.each(stores)('an imported chat on %s', (_name, create) => {
  function importing(script: Script = [done], { plugins = [], ...settings }: FixtureSettings = {}) {
    const fixture = flowFixture(script, {
      sweepMs: 1e9,
      store: create().store,
      ...settings,
      plugins: [imports(), ...plugins],
    });
    onTestFinished(() => fixture.flow.close());
    const { flow, chat, model } = fixture;
    return {
      ...fixture,
      bring: (messages: readonly UIMessage[], more: object = {}) =>
        flow.imports.chat({ principal: ada, chatId: 'chat', messages, ...more }),
      log: () => fixture.store.events.read(chat().id, 0),
      /** The prompts of the model, after a check that vendors accept them. */
      prompts: () => {
        expect(model.calls.flatMap(({ prompt }) => checkPrompt(prompt))).toEqual([]);
        return model.calls.map(({ prompt }) => prompt);
      },
    };
  }

  it('is read back as it was, with its calls marked', async () => {
    const { bring, chat, log } = importing();
    expect(await bring(pastMessages)).toEqual({ status: 'imported' });
    const { messages, questions, run, title } = await chat().view();
    expect(messages).toEqual(
      pastMessages.map((message) => ({
        ...message,
        parts: message.parts.map((each) =>
          'toolCallId' in each ? { ...each, toolMetadata: { countersign: { imported: true } } } : each,
        ),
      })),
    );
    expect({ questions, run, title }).toEqual({ questions: [], run: { status: 'idle' }, title: 'Weather?' });
    expect(checkLog(await log())).toEqual([]);
  });

  it('continues with its whole history', async () => {
    const { bring, chat, prompts } = importing();
    await bring(pastMessages);
    await chat().say('Thanks.');
    const [prompt = []] = prompts();
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(JSON.stringify(prompt)).not.toContain('signature');
    expect(prompt[2]?.content).toMatchObject([{ toolCallId: 'old-weather', output: { value: 'Sunny' } }]);
    expect((await chat().view()).messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('keeps its call when the model gives a new call the same id', async () => {
    const same = { call: 'weather', id: 'old-weather', input: { city: 'Oslo' } };
    const { bring, chat } = importing([[same], [{ text: 'Done.' }]]);
    await bring(pastMessages);
    await chat().say('And in Oslo?');
    const { messages } = await chat().view();
    const ids = messages.flatMap(({ parts }) =>
      parts.flatMap((each) => ('toolCallId' in each ? each.toolCallId : [])),
    );
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe('old-weather');
    expect(ids[1]).not.toBe('old-weather');
  });

  it('is imported once: the same messages change nothing, and others are refused', async () => {
    const { bring, chat, log } = importing();
    const results = await Promise.all([bring(pastMessages), bring(pastMessages), bring(pastMessages)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['imported', 'unchanged', 'unchanged']);
    await chat().say('Thanks.');
    const before = await log();
    const reordered = JSON.parse(JSON.stringify(pastMessages)) as UIMessage[];
    expect(await bring(reordered)).toEqual({ status: 'unchanged' });
    await expect(bring(pastMessages.slice(1))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('other messages'),
      fields: { chatId: 'chat' },
    });
    await expect(bring(pastMessages, { principal: bob })).rejects.toThrow('another principal');
    expect(await log()).toEqual(before);
    const own = importing();
    await own.chat().say('Hello.');
    await expect(own.bring(pastMessages)).rejects.toThrow('was not imported');
  });

  it.each([
    ['without a question', pastMessages],
    ['with a question', [person, waiting('native-1')]],
  ])('stays erased if that happened after an import of its id, %s, has begun', async (_case, messages) => {
    const { store } = create();
    const { bring, flow, chat } = importing([], { store });
    const meanwhile = async () => {
      await bring(pastMessages);
      await flow.chats.erase({ chatId: chat().id, principal: ada });
    };
    let isFirst = true;
    const late = importing([], {
      store: {
        ...store,
        erasures: {
          ...store.erasures,
          async at(id) {
            const at = await store.erasures.at(id);
            if (isFirst) await meanwhile();
            isFirst = false;
            return at;
          },
        },
      },
    });
    await expect(late.bring(messages)).rejects.toThrow('was erased');
    await expect(chat().view()).rejects.toMatchObject({ code: 'not-found' });
  });

  it('stays erased: its id cannot be imported again', async () => {
    const { bring, chat, flow } = importing();
    const createdAt = Date.UTC(2025, 1, 2);
    await bring(pastMessages, { createdAt });
    await flow.chats.erase({ chatId: chat().id, principal: ada });
    await expect(bring(pastMessages, { createdAt })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(
        /^Chat chat was erased \(2\d{3}-.*Z\)\. To bring its messages back, use a new id\.$/,
      ),
      fields: { chatId: 'chat' },
    });
    await expect(chat().view()).rejects.toMatchObject({ code: 'not-found' });
    expect(await bring(pastMessages, { chatId: 'new', createdAt })).toEqual({ status: 'imported' });
  });

  it('belongs to its principal, with its title and times', async () => {
    const { bring, chat, flow } = importing();
    const createdAt = Date.UTC(2025, 1, 2);
    const updatedAt = Date.UTC(2025, 1, 3);
    await bring(pastMessages, { title: 'Tokyo', createdAt, updatedAt });
    await bring([person], { chatId: 'older', updatedAt: createdAt });
    const { items } = await flow.chats.list({ principal: ada });
    expect(items).toMatchObject([
      { id: 'chat', title: 'Tokyo', createdAt, updatedAt, status: 'idle' },
      { id: 'older', title: 'Weather?', createdAt, updatedAt: createdAt },
    ]);
    await expect(chat('chat', bob).view()).rejects.toMatchObject({ code: 'not-found' });
    expect(await chat().resume()).toBeNull();
  });

  it('asks an open approval again, and runs only the new call, once', async () => {
    const auditKey = 'an audit key for tests';
    const { bring, chat, log, ran, flow, prompts } = importing([done], { auditKey });
    const { open = '' } = await bring(importedPayment);
    const { messages, questions } = await chat().view();
    expect(messages.map(({ id }) => id).slice(0, 2)).toEqual(['u1', 'a1']);
    const [call, replacing] = messages.slice(1).map(({ parts }) => parts.at(-1));
    expect(call).toMatchObject({
      toolCallId: 'old-pay',
      state: 'output-error',
      toolMetadata: { countersign: { imported: true, outcome: 'not-run' } },
    });
    expect(replacing).toMatchObject({ state: 'approval-requested', approval: { id: open } });
    expect(questions).toMatchObject([{ id: open, state: 'open', toolName: 'pay', askedBy: ada }]);
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: 'tool-requested', replaces: 'old-pay', gate: { type: 'ask' } }),
    );
    await expect(chat().answer('native-approval', true)).rejects.toMatchObject({ code: 'not-found' });
    expect(ran).toEqual([]);

    expect(await bring(importedPayment)).toEqual({ status: 'unchanged', open });
    await Promise.all([chat().answer(open, true), chat().answer(open, true)]);
    expect(ran).toMatchObject([{ tool: 'pay', input: { to: 'Alice', amount: 30 } }]);
    expect(ran).not.toMatchObject([{ toolCallId: 'old-pay' }]);
    const [prompt = []] = prompts();
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(JSON.stringify(prompt[1])).not.toContain('signature');
    expect(JSON.stringify(prompt)).not.toContain('old-pay');
    expect(checkLog(await log())).toEqual([]);

    const { entries, head } = await flow.audit.read({ principal: ada, chatId: chat().id });
    expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
    expect(JSON.stringify(entries)).not.toContain('old-');
  });

  it('asks several open approvals one after the other, and passes a denial to the model', async () => {
    const messages = [person, waiting('native-1', 'pay', 1), person2, twoWaiting()];
    const { bring, chat, ran, prompts } = importing();
    const { open = '' } = await bring(messages);
    expect((await chat().view()).questions).toMatchObject([
      { input: { amount: 2 }, position: { index: 1, of: 2 } },
    ]);
    const second = questionIn(await chat().answer(open, false, { reason: 'Too much.' }));
    await chat().answer(second, true);
    expect(ran).toMatchObject([{ input: { amount: 3 } }]);
    const [prompt = []] = prompts();
    expect(JSON.stringify(prompt)).toContain('Too much.');
    expect(JSON.stringify(prompt)).toContain('the approval was not given before the chat continued');
  });

  it.each([true, false])(
    'withdraws the new question when a message is sent (release held: %s)',
    async (held) => {
      const { bring, chat, ran, prompts } = importing([done], held ? {} : { release: 'progressive' });
      await bring(importedPayment);
      await chat().say('Never mind.');
      expect(ran).toEqual([]);
      expect((await chat().view()).questions).toMatchObject([{ state: 'superseded' }]);
      expect(prompts()).toHaveLength(1);
    },
  );

  it.each<[string, Parameters<typeof part>[0], string, boolean]>([
    [
      'a call that was being written',
      { state: 'input-streaming', input: { to: 'Al' } },
      'before the call was complete',
      false,
    ],
    ['a call without a result', { state: 'input-available' }, 'It may have run.', true],
    [
      'an approved call without a result',
      { state: 'approval-responded', approval: { id: 'x', approved: true } },
      'It may have run.',
      true,
    ],
    [
      'a denied call',
      { state: 'approval-responded', approval: { id: 'x', approved: false, reason: 'No!' } },
      'No!',
      true,
    ],
    [
      'a preliminary output',
      { state: 'output-available', output: 'so far', preliminary: true },
      'It may have run.',
      true,
    ],
    [
      'an open approval of a provider',
      { state: 'approval-requested', approval: { id: 'x' }, providerExecuted: true },
      'was not given',
      false,
    ],
    [
      'an open approval of a tool that is gone',
      { type: 'tool-gone', state: 'approval-requested', approval: { id: 'x' } },
      'tool gone is no longer available',
      true,
    ],
    [
      'an open approval whose arguments do not fit',
      { state: 'approval-requested', approval: { id: 'x' }, input: { amount: 'all' } },
      'do not fit the schema',
      true,
    ],
  ])('ends %s, and runs nothing', async (_case, fields, text, isSeen) => {
    const { bring, chat, ran, prompts } = importing();
    const before = { id: 'a1', role: 'assistant', parts: [part(fields)] } as UIMessage;
    expect(await bring([person, before])).toEqual({ status: 'imported' });
    const { messages, questions, run } = await chat().view();
    const [call] = messages[1]?.parts ?? [];
    expect(JSON.stringify(call)).toContain(text);
    expect(call).toMatchObject({ state: expect.stringMatching(/^output-(error|denied)$/) });
    expect([questions, run.status]).toEqual([[], 'idle']);
    await chat().say('And now?');
    expect(ran).toEqual([]);
    expect(JSON.stringify(prompts()).includes(text)).toBe(isSeen);
  });

  it('asks even if the gate would now let the call run, and not if it denies it', async () => {
    const asking = importing([done], { toolApproval: { pay: 'approved' } });
    const { open } = await asking.bring(importedPayment);
    expect(open).toBeDefined();
    expect(asking.ran).toEqual([]);
    const denying = importing([done], { toolApproval: { pay: { type: 'denied', reason: 'Closed.' } } });
    expect(await denying.bring(importedPayment)).toEqual({ status: 'imported' });
    expect(JSON.stringify((await denying.chat().view()).messages)).toContain('Not run: Closed.');
  });

  it('asks again if the tool changes while the question is open', async () => {
    const { bring, chat, store } = importing();
    const { open = '' } = await bring(importedPayment);
    const { tools, ran } = countingTools();
    const changed = { ...tools, pay: { ...tools.pay, description: 'Pays, and tells the tax office.' } };
    const later = importing([done], { store, tools: changed as ToolSet });
    const response = await later.chat().answer(open, true);
    const again = questionIn(response);
    expect(again).not.toBe(open);
    await later.chat().answer(again, true);
    expect(ran).toHaveLength(1);
    expect(later.prompts()).toHaveLength(1);
    expect((await chat().view()).questions.map(({ state }) => state)).toEqual(['tool-changed', 'approved']);
  });

  it('asks although an earlier approval is remembered', async () => {
    const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } };
    const { bring, chat, store, ran } = importing([[pay], done], { plugins: [remembered()] });
    const question = questionIn(await chat('earlier').say('Pay.'));
    await chat('earlier').answer(question, true, { plugins: { remembered: { scope: 'me', match: 'tool' } } });
    const kind = { plugin: 'remembered', kind: 'approval' };
    const { items } = await store.records.list({ ...kind, ownerId: 'ada', limit: 9 });
    expect(items).toHaveLength(1);
    expect(ran).toHaveLength(1);
    expect(await bring(importedPayment)).toMatchObject({ open: expect.any(String) });
    expect((await chat().view()).questions).toMatchObject([{ repeatOf: { outcome: 'completed' } }]);
    expect(ran).toHaveLength(1);
  });

  it('does not mark a call as a repetition of an imported one', async () => {
    const { bring, chat } = importing([[{ call: 'pay', input: { to: 'Alice', amount: 30 } }]]);
    const paid = part({ state: 'output-available', output: { paid: 30 } });
    await bring([person, { id: 'a1', role: 'assistant', parts: [paid] } as UIMessage]);
    await chat().say('Pay Alice 30.');
    const [question] = (await chat().view()).questions;
    expect(question).toMatchObject({ state: 'open' });
    expect(question).not.toHaveProperty('repeatOf');
  });

  it('answers a message that had no answer, edits and regenerates what has no effect to keep', async () => {
    const { bring, chat, prompts } = importing([done, done, done, done]);
    await bring([person]);
    const { say, view } = chat();
    await say('', { message: userMessage('u1', 'Weather?') });
    expect((await view()).messages.map(({ id }) => id)).toEqual(['u1', expect.stringMatching(/^msg_/)]);
    await say('', { ...regenerate, message: undefined });
    await say('', { message: userMessage('u1', 'Rain?'), messageId: parseMessageId('u1') });
    expect((await view()).messages).toHaveLength(2);
    expect(
      prompts().map((prompt) => prompt.map(({ content }) => (content as { text: string }[])[0]?.text)),
    ).toEqual([['Weather?'], ['Weather?'], ['Rain?']]);
  });

  it('replays the answer to an imported message when the request is repeated', async () => {
    const { bring, chat, log, prompts } = importing([done, [{ text: 'Sunny.' }], done]);
    await bring([person]);
    const request = { message: userMessage('u1', 'Weather?') };
    const first = await chat().say('', request);
    const before = await log();
    expect(await chat().say('', request)).toEqual(first);
    expect(await log()).toEqual(before);
    await chat().say('', { ...regenerate, message: undefined });
    await chat().say('And tomorrow?');
    expect(JSON.stringify(await chat().say('', request))).toContain('Sunny.');
    expect(prompts()).toHaveLength(3);
  });

  it('keeps imported calls that may have had an effect: their messages cannot be replaced', async () => {
    const { bring, chat, log } = importing([done, done], { toolDetails: { weather: { idempotent: true } } });
    const paid = part({ state: 'output-available', output: { paid: 30 } });
    await bring([person, { id: 'a1', role: 'assistant', parts: [paid] } as UIMessage]);
    const before = await log();
    const refusal = { code: 'invalid-request', message: expect.stringContaining('a call of pay') };
    await expect(chat().ask(regenerate)).rejects.toMatchObject(refusal);
    const edit = { message: userMessage('u1', 'Rain?'), messageId: parseMessageId('u1') };
    await expect(chat().ask(edit)).rejects.toMatchObject(refusal);
    await expect(chat().ask({ message: userMessage('u1', 'Weather?') })).rejects.toThrow('with its answer');
    expect(await log()).toEqual(before);

    const harmless = importing([done], { toolDetails: { weather: { idempotent: true } } });
    await harmless.bring(pastMessages);
    await harmless.chat().say('', { ...regenerate, message: undefined });
    expect(harmless.prompts()[0]?.map(({ role }) => role)).toEqual(['user']);
  });

  it('keeps a call that ran after the import when its message is regenerated', async () => {
    const { bring, chat, ran, prompts } = importing([done, done]);
    const { open = '' } = await bring(importedPayment);
    await chat().answer(open, true);
    await chat().say('', { ...regenerate, message: undefined });
    expect(ran).toHaveLength(1);
    expect(JSON.stringify(prompts().at(-1))).toContain('"paid":30');
    expect(JSON.stringify((await chat().view()).messages)).toContain('"paid":30');
  });

  it('hides what a tool keeps secret from people, and gives it to the model', async () => {
    const toolDetails = { pay: { secrets: { input: ['to'], output: ['paid'] } } };
    const { bring, chat, prompts, flow } = importing([done], { toolDetails });
    const paid = part({ state: 'output-available', output: { paid: 'account-77' } });
    const approval = { id: 'q', approved: false, reason: 'Not to Alice.' };
    const refused = part({ toolCallId: 'old-2', state: 'output-denied', approval });
    await bring([person, { id: 'a1', role: 'assistant', parts: [paid, refused] } as UIMessage]);
    const shown = JSON.stringify([
      await chat().view(),
      await flow.chats.timeline({ principal: ada, chatId: chat().id }),
    ]);
    expect(shown).not.toMatch(/Alice|account-77/);
    await chat().say('And?');
    expect(JSON.stringify(prompts())).toMatch(/Alice.*account-77/);
  });
});
