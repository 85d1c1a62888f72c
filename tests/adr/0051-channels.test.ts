import type { ApprovalFlow } from 'countersign';
import { emailChannel } from 'countersign/plugins/email';
import { slackChannel } from 'countersign/plugins/slack';
import type { SubscriptionEvent } from 'countersign/plugins/subscriptions';
import { createTransport } from 'nodemailer';
import { expect } from 'vitest';
import { markup, plain } from '../../lib/plugins/slack/block-text.ts';
import { messageOf } from '../../lib/plugins/slack/message.ts';
import { defaultSlackWords } from '../../lib/plugins/slack/slack-words.ts';
import { verifiedSignature } from '../../lib/plugins/slack/verify-request.ts';
import { afterFailure } from '../../lib/plugins/subscriptions/retry-times.ts';
import { systemClock } from '../../lib/protocol/clock/system-clock.ts';
import type { ApprovalId } from '../../lib/protocol/index.ts';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { adr } from '../support/adr.ts';
import { emailFixture, linkIn } from '../support/email-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { textsOf } from '../support/slack/block-kit.ts';
import { slackFixture } from '../support/slack/slack-fixture.ts';
import { slackSecret } from '../support/slack/slack-server.ts';
import { waitFor } from '../support/wait-for.ts';

const { clause } = adr('0051-channels.md');

const always = { signal: new AbortController().signal };

/** The event that reports a question as opened, as it is delivered now. */
async function openedEvent(
  { flow }: { readonly flow: ApprovalFlow },
  approvalId: ApprovalId,
): Promise<SubscriptionEvent> {
  const question = questionJson(await flow.approvals.read({ principal: ada, approvalId }));
  return { id: 'evt_1', timestamp: question.requestedAt, type: 'question.opened', data: { question } };
}

clause('0051.1', async () => {
  const nasty = '<!channel> *not* <https://evil.example|30>';
  const { ask } = await slackFixture({ toolDetails: { pay: { describe: () => nasty } } as never });
  const { message } = await ask();
  const sections = message().blocks.flatMap((block) => (block.type === 'section' ? [block.text] : []));
  expect(sections).toEqual([plain(nasty), plain('To: alice\nAmount: 30')]);
  // Rejected: markup. Slack would mention everyone, and show “30” as a link.
  expect(markup(nasty)).toMatchObject({ type: 'mrkdwn', text: expect.stringMatching(/<!channel>.*<https:/) });
});

clause('0051.2', async () => {
  const fixture = await slackFixture();
  const { slack, settings, ask } = fixture;
  const { id, message } = await ask();
  const event = await openedEvent(fixture, id);
  // Another process remembers nothing.
  expect(await slackChannel(settings).subscriber.deliver(event, always)).toBeUndefined();
  expect(slack.list()).toEqual([message()]);
  // Rejected: posting without a search.
  const { question } = event.data as never as { question: Parameters<typeof messageOf>[0] };
  const again = messageOf(question, { words: defaultSlackWords, url: undefined });
  await fetch(`${slack.url}/chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ channel: 'C0123456789', ...again }),
  });
  expect(slack.list()).toHaveLength(2);
});

clause('0051.3', async () => {
  let balance = 100;
  let later = 0;
  const clock = { ...systemClock, now: () => Date.now() + later };
  const preview = () => ({ summary: `${balance} becomes ${balance - 30}.` });
  const settings = { clock, toolDetails: { pay: { preview } } as never };
  const { ask, slack, store } = await slackFixture(settings, { clock });
  const [first, second] = [await ask('one'), await ask('two')];
  const click = slack.clickOf(first.message(), 'Approve');
  const unbound = slack.clickOf(second.message(), 'Approve');
  balance = 50;
  later = 61_000;
  await slack.send(slack.request(click, { at: clock.now() }));
  expect((await store.questions.read(first.id))?.state).toBe('open');
  // Rejected: a button with the id alone. It approves an effect that nobody has seen.
  const actions = [{ ...unbound.actions[0], value: JSON.stringify({ id: second.id }) }];
  await slack.send(slack.request({ ...unbound, actions }, { at: clock.now() }));
  expect((await store.questions.read(second.id))?.state).toBe('approved');
});

clause('0051.4', async () => {
  const { ask, slack, store } = await slackFixture();
  const { id, message } = await ask();
  const old = slack.request(slack.clickOf(message(), 'Approve'), { at: Date.now() - 301_000 });
  const { headers } = old;
  const body = await old.clone().text();
  expect((await slack.send(old)).status).toBe(401);
  expect((await store.questions.read(id))?.state).toBe('open');
  const once = slack.request(slack.clickOf(message(), 'Deny'));
  const copy = once.clone();
  await slack.send(once);
  await slack.send(copy);
  expect(slack.views).toHaveLength(1);
  // Rejected: a signature without a limit of its age. Whoever records a request can send it for ever.
  const timeOfRequest = Number(headers.get('x-slack-request-timestamp')) * 1_000;
  expect(verifiedSignature([slackSecret], { headers, body }, timeOfRequest)).toBeDefined();
});

clause('0051.5', async () => {
  const { ask, slack, store } = await slackFixture();
  const { id, message } = await ask();
  const click = slack.clickOf(message(), 'Approve', 'U0STRANGER');
  await slack.send(slack.request({ ...click, user: { ...click.user, username: 'ada', name: 'ada' } }));
  await slack.send(slack.request(slack.clickOf(message(), 'Approve', 'U0ADA', 'T0OTHER')));
  expect((await store.questions.read(id))?.state).toBe('open');
  expect(slack.ephemerals).toHaveLength(2);
  // Rejected: finding people by the name in the request, which its user has chosen.
  const byName: Record<string, typeof ada> = { ada };
  expect(byName[String({ ...click.user, username: 'ada' }.username)]).toEqual(ada);
});

clause('0051.6', async () => {
  const fresh = { ...ada, authenticatedAt: Date.now(), authenticationMethods: ['otp'] };
  const { ask, click, flow, store } = await slackFixture(
    { toolDetails: { pay: { stepUp: { maxAgeMs: 60_000 } } } as never },
    { principalOf: () => fresh },
  );
  const { id, message } = await ask();
  await click('Approve', message());
  expect((await store.questions.read(id))?.state).toBe('open');
  // Rejected: passing on what `principalOf` returns. A click would count as a sign-in.
  await flow.approvals.answer({ principal: fresh, approvalId: id, approved: true, via: 'slack' });
  expect((await store.questions.read(id))?.state).toBe('approved');
});

clause('0051.7', async () => {
  const fixture = await slackFixture();
  const { ask, chat, slack, channel } = fixture;
  const { id, message } = await ask();
  const opened = await openedEvent(fixture, id);
  await chat().answer(id, true);
  await waitFor(() => expect(message().text).toMatch(/^Approved by Ada/));
  const labels = () => slack.buttons(message()).map(({ text }) => text.text);
  expect(labels()).toEqual(['Open']);
  // Rejected: a channel that only posts. Its message asks for ever.
  slack.messages.clear();
  await channel.subscriber.deliver(opened, always);
  expect(labels()).toEqual(['Approve', 'Deny', 'Open']);
});

clause('0051.8', async () => {
  const fixture = await slackFixture();
  const { ask, slack, channel } = fixture;
  const { id } = await ask();
  const event = await openedEvent(fixture, id);
  slack.messages.clear();
  slack.limited.push({ method: 'conversations.history', seconds: 30 });
  const limited = await channel.subscriber.deliver(event, always);
  expect(limited).toMatchObject({ retryAfterMs: 30_000 });
  slack.failing.push({ method: 'chat.postMessage', error: 'is_archived' });
  expect(await channel.subscriber.deliver(event, always)).toMatchObject({ failed: /is_archived/ });
  const reference = { type: 'question.opened', chatId: 'chat', approvalId: id } as never;
  const tried = { id: 'evt_1', lane: 'a', subscriber: 'slack', attempts: 0, dueAt: 0, reference };
  expect(afterFailure(tried, limited as never, 0).dueAt).toBe(30_000);
  // Rejected: an error without the time that Slack asks for. It would be tried again after five seconds.
  expect(afterFailure(tried, { failed: 'It failed.' }, 0).dueAt).toBeLessThanOrEqual(5_000);
  await channel.subscriber.deliver(event, always);
  expect(slack.list()).toHaveLength(1);
});

clause('0051.9', async () => {
  const to = `${'a'.repeat(3_000)} and everyone else`;
  const { ask, slack } = await slackFixture({}, {}, [
    [{ call: 'pay', input: { to, amount: 30 } }],
    [{ text: 'Done.' }],
  ]);
  const { message } = await ask();
  // The end of the argument is not in the message. Rejected: approving it anyway.
  expect(textsOf(message().blocks).join()).not.toContain('everyone else');
  expect(slack.buttons(message()).map(({ text }) => text.text)).toEqual(['Deny', 'Open']);
});

clause('0051.10', async () => {
  const { ask, inbox, mailTo } = await emailFixture();
  const id = await ask();
  expect(
    inbox.mails.map(({ recipients, text, html }) => [recipients.length, text !== '', html !== '']),
  ).toEqual([
    [1, true, true],
    [1, true, true],
  ]);
  const links = ['ada', 'ben'].map((person) => linkIn(mailTo(`${person}@example.com`)[0]?.text));
  expect(links).toEqual([`https://app.example/answer/${id}/ada`, `https://app.example/answer/${id}/ben`]);
  // Rejected: one message to all. Every recipient would have the link of one of them.
  await inbox.transport.sendMail({
    from: 'a@example.org',
    to: 'ada@example.com, ben@example.com',
    text: links[1],
  });
  expect(inbox.mails.at(-1)).toMatchObject({ recipients: ['ada@example.com', 'ben@example.com'] });
});

clause('0051.11', async () => {
  const fixture = await emailFixture();
  const { ask, chat, inbox, mailTo, settings } = fixture;
  const id = await ask();
  const event = await openedEvent(fixture, id);
  await emailChannel(settings).deliver(event, always);
  const [first, copy] = mailTo('ben@example.com');
  expect(copy?.messageId).toBe(first?.messageId);
  await chat().answer(id, true);
  await waitFor(() => expect(mailTo('ben@example.com').at(-1)?.inReplyTo).toBe(first?.messageId));
  // Rejected: the ids of the mail library. Two copies would be two messages.
  const { from, to, text } = { from: 'a@example.org', to: 'ben@example.com', text: 'Copy' };
  for (let sent = 0; sent < 2; sent += 1) await createTransport(inbox.url).sendMail({ from, to, text });
  const [one, other] = inbox.mails.slice(-2);
  expect(one?.messageId).not.toBe(other?.messageId);
});

clause('0051.12', async () => {
  const fixture = await emailFixture();
  const { ask, inbox, settings } = fixture;
  const event = await openedEvent(fixture, await ask());
  inbox.mails.length = 0;
  inbox.refusals.push({ at: 'RCPT', code: 450, address: 'ada@example.com' });
  const next = emailChannel(settings);
  expect(await next.deliver(event, always)).toEqual({ failed: 'The mail server answered 450.' });
  expect(inbox.mails.map(({ recipients }) => recipients)).toEqual([['ben@example.com']]);
  await next.deliver(event, always);
  expect(inbox.mails.map(({ recipients }) => recipients)).toEqual([['ben@example.com'], ['ada@example.com']]);
  // Rejected: beginning again. Ben gets a copy for each failure of Ada's mailbox.
  await emailChannel(settings).deliver(event, always);
  expect(inbox.mails.filter(({ recipients }) => recipients[0] === 'ben@example.com')).toHaveLength(2);
});

clause('0051.13', async () => {
  const nasty = 'Ada\r\nBcc: eve@evil.example\r\n<b>';
  const { ask, inbox } = await emailFixture(
    { toolDetails: { pay: { title: nasty, describe: () => nasty } } as never },
    { to: () => [{ id: 'ada', name: nasty, address: 'ada@example.com' }] },
  );
  await ask('chat', 1);
  const [mail] = inbox.mails;
  expect(mail?.recipients).toEqual(['ada@example.com']);
  const head = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));
  expect(head(mail?.raw ?? '')).not.toMatch(/^bcc:/im);
  expect(mail?.html).not.toContain('<b>');
  // Rejected: writing headers from the texts as they are.
  const raw = `Subject: ${nasty}\r\n\r\nText`;
  await inbox.transport.sendMail({ envelope: { from: 'a@example.org', to: 'ada@example.com' }, raw });
  expect(head(inbox.mails.at(-1)?.raw ?? '')).toMatch(/^bcc:/im);
});

clause('0051.14', () => {
  const transport = { sendMail: async () => {} };
  const email = { transport, from: { name: 'A', address: 'a@example.org' }, to: () => [] };
  const slack = { token: 'xoxb-1', signingSecret: slackSecret, channel: 'C0123', principalOf: () => null };
  emailChannel(email);
  slackChannel(slack);
  const refused = expect.objectContaining({ code: 'invalid-settings' });
  expect(() => emailChannel({ ...email, from: { name: 'A', address: 'a@b\r\nBcc: c@d' } })).toThrow(refused);
  expect(() => slackChannel({ ...slack, signingSecret: '' })).toThrow(refused);
  expect(() => slackChannel({ ...slack, signingSecrets: [slackSecret] } as never)).toThrow(refused);
  // Rejected: ignoring what is not known. A misspelled setting would protect nothing.
  const ignoring = ({ signingSecret }: { signingSecret: string }) => signingSecret;
  expect(() => ignoring({ ...slack, signingSecrets: [] } as never)).not.toThrow();
});
