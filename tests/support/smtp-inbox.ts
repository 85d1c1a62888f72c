import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A message as the mail server accepted it: parsed, with its envelope and its source. */
export type ReceivedMail = Email & { readonly recipients: readonly string[]; readonly raw: string };

/** A response that the mail server gives once. */
type Refusal = { readonly at: 'RCPT' | 'DATA'; readonly code: number; readonly address?: string };

/** A mail server on a loopback port that keeps what it accepts, and a transport to it. */
export async function smtpInbox() {
  const mails: ReceivedMail[] = [];
  const refusals: Refusal[] = [];
  let afterAccepted: () => void | Promise<void> = () => {};
  const refusal = (at: Refusal['at'], address?: string) => {
    const index = refusals.findIndex((each) => each.at === at && (each.address ?? address) === address);
    const [found] = index === -1 ? [] : refusals.splice(index, 1);
    return found && Object.assign(new Error('Refused.'), { responseCode: found.code });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: 1024 * 1024,
    onRcptTo: ({ address }, _session, callback) => callback(refusal('RCPT', address)),
    async onData(stream, { envelope }, callback) {
      const source = await buffer(stream).catch((error) => {
        // The sender was killed while it sent.
        if (error?.code !== 'ECONNECTION') throw error;
      });
      if (!source) return;
      const refused = refusal('DATA');
      if (refused) return callback(refused);
      const recipients = envelope.rcptTo.map(({ address }) => address);
      mails.push({ ...(await PostalMime.parse(source)), recipients, raw: source.toString() });
      await afterAccepted();
      callback(null);
    },
  });
  server.on('error', () => {});
  const { server: listener } = server;
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const url = `smtp://127.0.0.1:${port}`;
  return {
    ...{ mails, refusals, url, transport: createTransport(url) },
    onAccepted(callback: typeof afterAccepted) {
      afterAccepted = callback;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
