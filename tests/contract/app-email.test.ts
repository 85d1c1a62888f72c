import { describe, expect, it } from 'vitest';
import { email, emailFrom } from '../../app/_channels/email.ts';
import { readSettings } from '../../app/_server/settings.ts';

const secret = { COUNTERSIGN_SECRET: 'a secret that only the server knows' };
const variables = {
  COUNTERSIGN_SMTP_URL: 'smtps://mail.example.com',
  COUNTERSIGN_EMAIL_FROM: 'approvals@example.com',
};

describe('e-mail in the reference app', () => {
  it('is off by default, and on if all of its variables are set [H-Configuration]', () => {
    expect(readSettings(secret).channels.has(email)).toBe(false);
    expect(readSettings({ ...secret, ...variables }).channels.has(email)).toBe(true);
    expect(emailFrom(variables, 'https://app.example.com')).toEqual({
      smtpUrl: 'smtps://mail.example.com',
      from: 'approvals@example.com',
    });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['half of the mail server', { COUNTERSIGN_EMAIL_FROM: '' }, /Set both COUNTERSIGN_SMTP_URL/],
    [
      'another protocol',
      { COUNTERSIGN_SMTP_URL: 'https://mail.example.com' },
      /must be an address such as smtps:/,
    ],
    ['no address of the app', { HOST: '0.0.0.0' }, /needs COUNTERSIGN_URL/],
  ])('is refused with %s [H-Configuration]', (_, environment, message) => {
    expect(() => readSettings({ ...secret, ...variables, ...environment })).toThrow(message);
  });
});
