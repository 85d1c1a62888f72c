import { emailChannel } from 'countersign/plugins/email';
import type { SubscriptionEvent } from 'countersign/plugins/subscriptions';
import { describe, expect, it } from 'vitest';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { emailFixture, linkIn } from '../support/email-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const always = { signal: new AbortController().signal };
type Fixture = Awaited<ReturnType<typeof emailFixture>>;

async function openedEvent(
  { flow }: Pick<Fixture, 'flow'>,
  approvalId: Awaited<ReturnType<Fixture['ask']>>,
): Promise<SubscriptionEvent> {
  const question = questionJson(await flow.approvals.read({ principal: ada, approvalId }));
  return { id: 'evt_1', timestamp: question.requestedAt, type: 'question.opened', data: { question } };
}

describe('a question by e-mail', () => {
  it('is one message for each recipient, with the same content as text and as HTML [0051.10]', async () => {
    const { ask, inbox } = await emailFixture({
      toolDetails: {
        pay: {
          title: 'Make payment',
          describe: () => 'Pay 30 to alice.',
          risk: () => ({ level: 'high', reason: 'New payee' }),
          preview: () => ({ summary: '100 becomes 70.' }),
        },
      } as never,
    });
    await ask();
    expect(inbox.mails.map(({ recipients }) => recipients)).toEqual([
      ['ada@example.com'],
      ['ben@example.com'],
    ]);
    const [mail] = inbox.mails;
    expect(mail?.subject).toBe('Approval needed: Make payment');
    expect(mail?.from).toMatchObject({ name: 'Approvals', address: 'approvals@example.org' });
    expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    for (const content of [
      'Pay 30 to alice.',
      'High risk: New payee',
      'Amount: 30',
      '100 becomes 70.',
      linkIn(mail?.text),
    ]) {
      expect(mail?.text).toContain(content);
      expect(mail?.html).toContain(content);
    }
    expect(mail?.html).not.toMatch(/<img|<script|src=|@import|url\(/);
    expect(mail?.attachments).toEqual([]);
  });

  it('has its outcome in a reply to the first message, whoever answered [0051.11]', async () => {
    const { ask, chat, mailTo } = await emailFixture();
    const id = await ask();
    await chat().answer(id, false, { reason: 'Too much.' });
    for (const address of ['ada@example.com', 'ben@example.com']) {
      await waitFor(() => expect(mailTo(address)).toHaveLength(2));
      const [first, outcome] = mailTo(address);
      expect(outcome?.subject).toBe(`Re: ${first?.subject}`);
      expect(outcome?.text).toMatch(/^Denied by Ada/);
      expect(outcome?.text).toContain('Too much.');
      expect([outcome?.inReplyTo, outcome?.references]).toEqual([first?.messageId, first?.messageId]);
      // The link of an outcome is no credential.
      expect(linkIn(outcome?.text)).toBe('https://app.example/inbox');
    }
  });

  it('that was decided leads to its page, if the app has one [0051.11]', async () => {
    const inboxUrl = (id: string) => `https://app.example/inbox/${id}`;
    const { ask, chat, mailTo } = await emailFixture({}, { inboxUrl });
    const id = await ask();
    expect(linkIn(mailTo('ada@example.com')[0]?.text)).toMatch(/\/answer\//);
    await chat().answer(id, true);
    await waitFor(() => expect(linkIn(mailTo('ada@example.com')[1]?.text)).toBe(inboxUrl(id)));
  });

  it('about what a plugin reports reads as a first message, because it may be one [0051.10]', async () => {
    const fixture = await emailFixture();
    const { ask, mailTo, settings } = fixture;
    const opened = await openedEvent(fixture, await ask());
    const data = { ...opened.data, plugin: 'escalation' };
    const event = { ...opened, id: 'evt_2', type: 'question.escalated', data } as SubscriptionEvent;
    const cleo = { id: 'cleo', name: 'Cleo', address: 'cleo@example.com' };
    const to = async () => [...(await settings.to({} as never, event.type)), cleo];
    expect(await emailChannel({ ...settings, to }).deliver(event, always)).toBeUndefined();
    const [first, again] = mailTo('ben@example.com');
    const [only] = mailTo('cleo@example.com');
    for (const mail of [again, only]) {
      expect(mail?.subject).toBe(first?.subject);
      expect(mail?.text).toMatch(/^This request is still waiting for an answer\./);
    }
    expect(again?.inReplyTo).toBe(first?.messageId);
  });

  it('that was withdrawn is reported, too [0051.11]', async () => {
    const { ask, chat, mailTo } = await emailFixture();
    await ask();
    await chat().stop();
    await waitFor(() =>
      expect(mailTo('ben@example.com')[1]?.text).toMatch(/^Cancelled: the run was stopped/),
    );
  });

  it('is sent again with the same ids [0051.11]', async () => {
    const fixture = await emailFixture();
    const { ask, inbox, settings } = fixture;
    const event = await openedEvent(fixture, await ask());
    // Another process does not know what was accepted.
    const next = emailChannel(settings);
    expect(await next.deliver(event, always)).toBeUndefined();
    expect(inbox.mails).toHaveLength(4);
    // The same one does.
    expect(await next.deliver(event, always)).toBeUndefined();
    expect(inbox.mails).toHaveLength(4);
    const ids = inbox.mails.map(({ messageId }) => messageId);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^<[\w-]{43}@example\.org>$/);
  });

  it('is not sent if it was decided before it could be [0051.10]', async () => {
    const fixture = await emailFixture();
    const { ask, chat, inbox, mailTo, settings } = fixture;
    const id = await ask();
    await chat().answer(id, true);
    await waitFor(() => expect(mailTo('ben@example.com')).toHaveLength(2));
    expect(await emailChannel(settings).deliver(await openedEvent(fixture, id), always)).toBeUndefined();
    expect(inbox.mails).toHaveLength(4);
  });
});

describe('a mail server that refuses a message', () => {
  it.each<[string, { at: 'RCPT' | 'DATA'; code: number; address?: string }, object]>([
    [
      'for now',
      { at: 'RCPT', code: 450, address: 'ada@example.com' },
      { failed: 'The mail server answered 450.' },
    ],
    ['after its content', { at: 'DATA', code: 554 }, { failed: 'The mail server answered 554.' }],
    [
      'because the recipient does not exist',
      { at: 'RCPT', code: 550, address: 'ada@example.com' },
      { failed: 'The mail server refused a recipient (550).', gone: true },
    ],
  ])('%s: the delivery fails, and the others get theirs once [0051.12]', async (_, refusal, failure) => {
    const fixture = await emailFixture();
    const { ask, inbox, settings } = fixture;
    const event = await openedEvent(fixture, await ask());
    inbox.mails.length = 0;
    inbox.refusals.push(refusal);
    const next = emailChannel(settings);
    expect(await next.deliver(event, always)).toEqual(failure);
    expect(inbox.mails).toHaveLength(1);
    expect(await next.deliver(event, always)).toBeUndefined();
    expect(inbox.mails.map(({ recipients }) => recipients[0]).sort()).toEqual([
      'ada@example.com',
      'ben@example.com',
    ]);
  });

  it('for one recipient permanently and for another one for now: the delivery is tried again [0051.12]', async () => {
    const fixture = await emailFixture();
    const { ask, inbox, settings } = fixture;
    const event = await openedEvent(fixture, await ask());
    inbox.refusals.push({ at: 'RCPT', code: 550, address: 'ada@example.com' });
    inbox.refusals.push({ at: 'RCPT', code: 450, address: 'ben@example.com' });
    expect(await emailChannel(settings).deliver(event, always)).toEqual({
      failed: 'The mail server answered 450.',
    });
  });

  it('that is not reached is tried again, without an address in the failure [0051.12]', async () => {
    const fixture = await emailFixture();
    const { ask, inbox, settings } = fixture;
    const event = await openedEvent(fixture, await ask());
    await inbox.close();
    expect(await emailChannel(settings).deliver(event, always)).toEqual({
      failed: expect.stringMatching(/^The mail server was not reached( \([A-Z]+\))?\.$/),
    });
  });
});

describe('hostile texts', () => {
  const nasty = 'alice\r\nBcc: eve@evil.example\r\n\r\n<img src=x onerror=1> "quoted" \u202e';

  it('add no header, no recipient and no HTML [0051.13]', async () => {
    const { ask, inbox } = await emailFixture(
      { toolDetails: { pay: { title: nasty, describe: () => nasty } } as never },
      {
        to: () => [{ id: 'ada', name: nasty, address: 'ada@example.com' }],
        from: { name: nasty, address: 'a@example.org' },
      },
      [[{ call: 'pay', input: { to: nasty, amount: 30 } }], [{ text: 'Done.' }]],
    );
    await ask('chat', 1);
    const [mail] = inbox.mails;
    expect(mail?.recipients).toEqual(['ada@example.com']);
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    expect(mail?.html).not.toMatch(/<img/);
    expect(mail?.html).toContain('&lt;img src=x onerror=1&gt;');
    expect(mail?.text).toContain('⟨U+202E');
    // The sentence is one line, so it cannot look like the label of the link.
    expect(mail?.text).toContain('\n  alice ⏎ Bcc: eve@evil.example ⏎ ');
  });

  it.each([
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada@example.com, eve@evil.example',
    'Ada <ada@example.com>',
    '"a b"@example.com',
    'ada',
    '',
    `${'a'.repeat(65)}@example.com`,
  ])('%j is refused as an address [0051.13]', async (address) => {
    const fixture = await emailFixture();
    const { ask, inbox, settings } = fixture;
    const event = await openedEvent(fixture, await ask());
    inbox.mails.length = 0;
    const wrong = emailChannel({ ...settings, to: () => [{ id: 'ada', name: 'Ada', address }] });
    expect(await wrong.deliver(event, always)).toEqual({
      failed: 'A recipient has no valid address.',
      gone: true,
    });
    expect(inbox.mails).toEqual([]);
    expect(() => emailChannel({ ...settings, from: { name: 'A', address } })).toThrow(/from\.address/);
  });

  it('a link that is no address is refused [0051.13]', async () => {
    const fixture = await emailFixture();
    const event = await openedEvent(fixture, await fixture.ask());
    const wrong = emailChannel({ ...fixture.settings, link: () => 'javascript:alert(1)' });
    await expect(wrong.deliver(event, always)).rejects.toThrow(TypeError);
  });
});

describe('emailChannel', () => {
  const valid = {
    transport: { sendMail: async () => {} },
    from: { name: 'Approvals', address: 'approvals@example.org' },
    to: () => [],
  };
  it.each([
    [{ transport: {} }, 'transport.sendMail'],
    [{ transport: undefined }, 'transport'],
    [{ from: 'approvals@example.org' }, 'from.name'],
    [{ to: ['ada@example.com'] }, 'to'],
    [{ link: 'https://example.org' }, 'link'],
    [{ subject: 'Hello' }, 'subject'],
  ])('refuses %j [0051.14]', (wrong, path) => {
    emailChannel(valid);
    expect(() => emailChannel({ ...valid, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  });
});
