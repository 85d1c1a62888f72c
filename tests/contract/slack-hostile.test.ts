import { slackChannel } from 'countersign/plugins/slack';
import { describe, expect, it } from 'vitest';
import { slackFixture } from '../support/slack/slack-fixture.ts';
import { slackSecret } from '../support/slack/slack-server.ts';

const minute = 60_000;

describe('a request that Slack did not send', () => {
  const forged: [
    name: string,
    options: Parameters<Awaited<ReturnType<typeof slackFixture>>['slack']['request']>[1],
  ][] = [
    ['is signed with another secret', { secret: 'another secret of the tests' }],
    ['has no signature', { headers: { 'x-slack-signature': '' } }],
    ['has the signature of another version', { headers: { 'x-slack-signature': `v1=${'0'.repeat(64)}` } }],
    ['has no time', { headers: { 'x-slack-request-timestamp': '' } }],
    [
      'has another time than was signed',
      { headers: { 'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000) - 1) } },
    ],
    ['is older than five minutes', { at: Date.now() - 6 * minute }],
    ['is from the future', { at: Date.now() + 6 * minute }],
    ['has another body than was signed', { change: (body) => body.replace('U0ADA', 'U0BEN') }],
    ['has more after what was signed', { change: (body) => `${body}&payload=%7B%7D` }],
  ];
  it.each(forged)('%s: is refused, and has no effect [0051.4]', async (_, options) => {
    const { ask, slack, store } = await slackFixture();
    const { id, message } = await ask();
    const before = slack.calls.length;
    const response = await slack.send(slack.request(slack.clickOf(message(), 'Approve'), options));
    expect([response.status, await response.text()]).toEqual([401, '']);
    expect((await store.questions.read(id))?.state).toBe('open');
    expect(slack.calls).toHaveLength(before);
  });

  it.each<[string, RequestInit, number]>([
    ['another method', { method: 'GET' }, 405],
    ['another type', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }, 415],
    ['no type', { method: 'POST', body: new Uint8Array([1]) }, 415],
    [
      'more than a megabyte',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `payload=${'x'.repeat(1024 * 1024)}`,
      },
      413,
    ],
    [
      'bytes that are no text',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new Uint8Array([0xff, 0xfe]),
      },
      400,
    ],
  ])('with %s: is refused [0051.4]', async (_, init, status) => {
    const { slack } = await slackFixture();
    expect((await slack.send(new Request('http://app.local/api/slack/interactions', init))).status).toBe(
      status,
    );
  });
});

describe('a genuine request', () => {
  it('has no further effect when it is sent again [0051.4]', async () => {
    const { ask, slack, store } = await slackFixture();
    const { id, message } = await ask();
    const denial = slack.request(slack.clickOf(message(), 'Deny'));
    const copies = [denial.clone(), denial.clone()];
    for (const each of [denial, ...copies]) expect((await slack.send(each)).status).toBe(200);
    expect(slack.views).toHaveLength(1);
    const approval = slack.request(slack.clickOf(message(), 'Approve'));
    const again = approval.clone();
    await Promise.all([slack.send(approval), slack.send(again)]);
    expect((await store.questions.read(id))?.state).toBe('approved');
    expect(slack.ephemerals).toEqual([]);
  });

  it('of another workspace, with which the channel is shared, is refused [0051.5]', async () => {
    const { ask, slack, store } = await slackFixture();
    const { id, message } = await ask();
    const payload = slack.clickOf(message(), 'Approve', 'U0ADA', 'T0OTHER');
    await slack.send(slack.request(payload));
    const own = slack.clickOf(message(), 'Approve', 'U0ADA');
    await slack.send(slack.request({ ...own, user: { ...own.user, team_id: 'T0OTHER' } }));
    expect(slack.ephemerals).toHaveLength(2);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it.each([
    ['an unknown question', { id: 'never' }],
    ['another digest', { digest: 'sha256:other' }],
    ['a value that is no JSON', undefined],
  ])('about %s answers nothing [0051.3]', async (_, change) => {
    const { ask, slack, store } = await slackFixture();
    const { id, message } = await ask();
    const payload = slack.clickOf(message(), 'Approve');
    const [action] = payload.actions;
    const value =
      change === undefined ? 'no JSON' : JSON.stringify({ ...JSON.parse(action?.value ?? ''), ...change });
    const response = await slack.send(slack.request({ ...payload, actions: [{ ...action, value }] }));
    expect(response.status).toBe(change === undefined ? 400 : 200);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it.each<[string, object, number]>([
    ['of another type', { type: 'shortcut' }, 200],
    ['without a type', {}, 400],
    [
      'of a form that is not from here',
      {
        type: 'view_submission',
        team: { id: 'T' },
        user: { id: 'U' },
        view: { callback_id: 'x', private_metadata: '', state: { values: {} } },
      },
      200,
    ],
    [
      'with a broken form',
      {
        type: 'view_submission',
        team: { id: 'T' },
        user: { id: 'U' },
        view: { callback_id: 'countersign.deny', private_metadata: '{}', state: { values: {} } },
      },
      400,
    ],
    ['without a click', { type: 'block_actions', actions: [] }, 400],
  ])('%s has no effect [0051.4]', async (_, payload, status) => {
    const { slack } = await slackFixture();
    expect((await slack.send(slack.request(payload))).status).toBe(status);
    expect(slack.calls).toEqual([]);
  });
});

it('a click on the link to the page has no effect [0051.3]', async () => {
  const { ask, slack, store } = await slackFixture();
  const { id, message } = await ask();
  const before = slack.calls.length;
  expect((await slack.send(slack.request(slack.clickOf(message(), 'Open')))).status).toBe(200);
  expect(slack.calls).toHaveLength(before);
  expect((await store.questions.read(id))?.state).toBe('open');
});

it('both signing secrets work while one replaces the other [0051.4]', async () => {
  const next = 'the next secret of the tests';
  const { ask, slack, store } = await slackFixture({}, { signingSecret: [next, slackSecret] });
  const { id, message } = await ask();
  await slack.send(slack.request(slack.clickOf(message(), 'Deny'), { secret: next }));
  await slack.send(slack.request(slack.submissionOf('')));
  expect((await store.questions.read(id))?.answer).toMatchObject({ approved: false });
});

describe('slackChannel', () => {
  const valid = {
    token: 'xoxb-1-test',
    signingSecret: slackSecret,
    channel: 'C0123456789',
    principalOf: () => undefined,
  };
  it.each([
    [{ token: 'xoxp-1' }, 'token'],
    [{ token: undefined }, 'token'],
    [{ signingSecret: 'short' }, 'signingSecret'],
    [{ signingSecret: [] }, 'signingSecret'],
    [{ channel: '#approvals' }, 'channel'],
    [{ principalOf: {} }, 'principalOf'],
    [{ apiUrl: 'http://slack.example/api' }, 'apiUrl'],
    [{ apiUrl: 'https://slack.example/api/' }, 'apiUrl'],
    [{ people: {} }, 'people'],
  ])('refuses %j [0051.14]', (wrong, path) => {
    slackChannel(valid);
    expect(() => slackChannel({ ...valid, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  });
});
