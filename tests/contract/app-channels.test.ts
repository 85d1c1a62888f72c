import { describe, expect, it } from 'vitest';
import { readSettings } from '../../app/_server/settings.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

const secret = { COUNTERSIGN_SECRET: 'a secret that only the server knows' };
const slack = {
  COUNTERSIGN_SLACK_TOKEN: 'xoxb-1-test',
  COUNTERSIGN_SLACK_SIGNING_SECRET: 'a signing secret of the tests',
  COUNTERSIGN_SLACK_CHANNEL: 'C0123456789',
};
const email = {
  COUNTERSIGN_SMTP_URL: 'smtps://mail.example.com',
  COUNTERSIGN_EMAIL_FROM: 'approvals@example.com',
};

describe('the channels of the reference app', () => {
  it('are off by default, and on if all of their variables are set [H-Configuration]', () => {
    const none = readSettings(secret);
    expect([none.slack, none.email, none.people]).toEqual([undefined, undefined, []]);
    const people = JSON.stringify([
      { name: 'Ben', role: 'manager', slack: 'U0BEN', email: 'ben@example.com' },
    ]);
    const all = readSettings({ ...secret, ...slack, ...email, COUNTERSIGN_PEOPLE: people });
    expect(all.slack).toEqual({
      token: 'xoxb-1-test',
      signingSecret: 'a signing secret of the tests',
      channel: 'C0123456789',
    });
    expect(all.email).toEqual({ smtpUrl: 'smtps://mail.example.com', from: 'approvals@example.com' });
    expect(all.people).toMatchObject([{ principal: { name: 'Ben', role: 'manager' }, slack: 'U0BEN' }]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['half of Slack', { ...slack, COUNTERSIGN_SLACK_CHANNEL: '' }, /Set all of COUNTERSIGN_SLACK_TOKEN/],
    ['half of the mail server', { ...email, COUNTERSIGN_EMAIL_FROM: '' }, /Set both COUNTERSIGN_SMTP_URL/],
    [
      'another protocol',
      { ...email, COUNTERSIGN_SMTP_URL: 'https://mail.example.com' },
      /must be an address such as smtps:/,
    ],
    ['e-mail without an address of the app', { ...email, HOST: '0.0.0.0' }, /needs COUNTERSIGN_URL/],
    ['people that are no JSON', { COUNTERSIGN_PEOPLE: 'Ben' }, /COUNTERSIGN_PEOPLE is not valid/],
    [
      'a person with another field',
      { COUNTERSIGN_PEOPLE: '[{"name":"Ben","mail":"b@c.de"}]' },
      /Only the name/,
    ],
  ])('are refused with %s [H-Configuration]', (_, environment, message) => {
    expect(() => readSettings({ ...secret, ...environment })).toThrow(message);
  });

  it('have no endpoint for Slack unless it is configured [0051.4]', async () => {
    const { url } = await serveAppRoutes();
    const response = await fetch(`${url}/api/slack/interactions`, { method: 'POST', body: 'payload=1' });
    expect(response.status).toBe(404);
  });
});
