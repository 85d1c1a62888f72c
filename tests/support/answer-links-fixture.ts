import type { FlowSettings, Principal } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { pageForms } from 'countersign/plugins/forms';
import { type AnswerLinkSettings, links } from 'countersign/plugins/links';
import { votes } from 'countersign/plugins/votes';
import { createFetchHandler } from 'countersign/sse/server';
import { fakeClock, type Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { type Clock, parseApprovalId } from '../../lib/protocol/index.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { flowFixture, questionIn } from './flow-fixture.ts';
import { userHeader } from './serve-fixture.ts';

export const linkSecret = 'a secret of these tests';
export const people: Readonly<Record<string, Principal>> = {
  ada: { id: 'ada', name: 'Ada' },
  bob: { id: 'bob', name: 'Bob', role: 'manager' },
  eve: { id: 'eve', name: 'Eve' },
};

/** Identifies the person by a header, as a cookie would. Without the header, nobody is signed in. */
const authorize = (request: Request): Principal | null =>
  people[request.headers.get(userHeader) ?? ''] ?? null;

const paying: Script = [[{ call: 'pay', input: { to: 'alice', amount: 30 } }], [{ text: 'Done.' }]];

/** A page as a client without JavaScript reads it. */
export type ReadPage = {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The hidden fields of its first form. */
  readonly fields: Readonly<Record<string, string>>;
  /** The hidden fields of each form. */
  readonly forms: readonly Readonly<Record<string, string>>[];
};

type Fetched = { readonly user?: string } & Omit<RequestInit, 'headers'> & {
    readonly headers?: Readonly<Record<string, string>>;
  };

/** Reads a page. A redirect is not followed. */
export async function readPage(url: string, { user, headers, ...init }: Fetched = {}): Promise<ReadPage> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { ...headers, ...(user !== undefined && { [userHeader]: user }) },
    ...init,
  });
  const html = await response.text();
  const forms = html.split('</form>').slice(0, -1).map(fieldsOf);
  return { status: response.status, headers: response.headers, html, fields: forms[0] ?? {}, forms };
}

/** Sends a form as a browser does that sends no referrer. */
export function sendForm(url: string, fields: Readonly<Record<string, string>>, given: Fetched = {}) {
  const { headers, ...init } = given;
  return readPage(url, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    ...init,
  });
}

/** Sends both forms, as far as the pages offer them. @returns the last page */
export async function answerBy(url: string, answer: 'approve' | 'deny', user?: string, reason = '') {
  const who = user === undefined ? {} : { user };
  const shown = await readPage(url, who);
  if (shown.fields.form === undefined) return shown;
  const review = await sendForm(url, { ...shown.fields, answer, reason }, who);
  if (review.fields.step !== 'confirm') return review;
  return sendForm(url, review.fields, who);
}

function fieldsOf(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

function unescaped(value: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return value.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name) => characters[name] ?? '');
}

/** A flow with these links, and what serves them. */
export function flowWithLinks(
  settings: AnswerLinkSettings & { readonly clock: Clock },
  given: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
  script: Script = [],
) {
  const answerLinks = links({ forms: pageForms(), ...settings });
  const { plugins = [], ...rest } = given;
  const fixture = flowFixture(script, {
    clock: settings.clock,
    ...rest,
    plugins: [answerLinks, votes(), ...plugins],
  });
  onTestFinished(() => fixture.flow.close());
  return {
    ...fixture,
    links: answerLinks,
    /** Every endpoint. The pages of links identify people themselves. */
    open: createFetchHandler(fixture.flow, { authorize: () => null }),
  };
}

/** A flow with an open question, and its links on a loopback port, until the end of the test. */
export async function answerLinksFixture(
  given: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
  more: Partial<Omit<AnswerLinkSettings, 'clock'>> = {},
  script: Script = paying,
) {
  const clock = fakeClock();
  const served = await serve({ fetch: (request) => fixture.open(request) });
  const settings: Parameters<typeof flowWithLinks>[0] = {
    secret: linkSecret,
    baseUrl: `${served.url}/api`,
    person: (person) => people[person] ?? null,
    authorize,
    clock,
    inboxUrl: (approvalId) => `/inbox/${approvalId}`,
    signInUrl: '/sign-in',
    ...more,
  };
  onTestFinished(() => served.close());
  const fixture = flowWithLinks(settings, { auditKey: 'a key of the test only', ...given }, script);
  const chat = fixture.chat();
  const id = parseApprovalId(questionIn(await chat.say('Pay.')));
  return {
    ...fixture,
    chat,
    chatOf: fixture.chat,
    id,
    clock,
    settings,
    /** The number of events that are recorded in the chat. */
    recorded: async () => (await fixture.store.events.read(chat.id, 0)).length,
    linkFor: (target: { id: string } | { role: string }, lifetimeMs?: number) =>
      fixture.links.create({ approvalId: id, for: target, ...(lifetimeMs !== undefined && { lifetimeMs }) }),
  };
}
