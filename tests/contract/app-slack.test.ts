import { describe, expect, it } from 'vitest';
import { slack, slackFrom } from '../../app/_channels/slack.ts';
import { readSettings } from '../../app/_server/settings.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

const secret = { COUNTERSIGN_SECRET: 'a secret that only the server knows' };
const variables = {
  COUNTERSIGN_SLACK_TOKEN: 'xoxb-1-test',
  COUNTERSIGN_SLACK_SIGNING_SECRET: 'a signing secret of the tests',
  COUNTERSIGN_SLACK_CHANNEL: 'C0123456789',
};

describe('Slack in the reference app', () => {
  it('is off by default, and on if all of its variables are set [H-Configuration]', () => {
    expect(readSettings(secret).channels.has(slack)).toBe(false);
    expect(readSettings({ ...secret, ...variables }).channels.has(slack)).toBe(true);
    expect(slackFrom(variables)).toEqual({
      token: 'xoxb-1-test',
      signingSecret: 'a signing secret of the tests',
      channel: 'C0123456789',
    });
  });

  it('is refused with some of its variables [H-Configuration]', () => {
    const half = { ...secret, ...variables, COUNTERSIGN_SLACK_CHANNEL: '' };
    expect(() => readSettings(half)).toThrow(/Set all of COUNTERSIGN_SLACK_TOKEN/);
  });

  it('has no endpoint unless it is configured [0051.4]', async () => {
    const { url } = await serveAppRoutes();
    const response = await fetch(`${url}/api/slack/interactions`, { method: 'POST', body: 'payload=1' });
    expect(response.status).toBe(404);
  });
});
