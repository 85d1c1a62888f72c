import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { serve } from '../../../lib/testing/server/serve.ts';
import { type Block, type Button, type Modal, messageBlocks, metadata, modal } from './block-kit.ts';

export const slackToken = 'xoxb-1-test';
export const slackSecret = 'a signing secret of the tests';
export const slackChannelId = 'C0123456789';
const teamId = 'T0000000001';
const botId = 'B0000000001';
/** A client that sends more is refused. */
const mostBytes = 1024 * 1024;

/** A message in the channel. `edits` counts calls of `chat.update`. */
export type SlackMessage = {
  readonly channel: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly metadata?: z.infer<typeof metadata> | undefined;
  readonly bot: string;
  readonly edits: number;
};

type Call = { readonly method: string; readonly args: Record<string, unknown> };
type Refuse = (error: string) => never;
class Refused extends Error {}
const refuse: Refuse = (error) => {
  throw new Refused(error);
};

const postArgs = z.strictObject({
  channel: z.string(),
  text: z.string().max(40_000),
  blocks: messageBlocks,
  metadata: metadata.optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
});
const updateArgs = z.strictObject({
  channel: z.string(),
  ts: z.string(),
  text: z.string().max(40_000),
  blocks: messageBlocks,
  metadata: metadata.optional(),
});
const ephemeralArgs = z.strictObject({
  channel: z.string(),
  user: z.string(),
  text: z.string(),
  blocks: messageBlocks,
});

/**
 * Slack on a loopback port, as far as the channel needs it. It refuses what Slack's documentation says that Slack refuses: the token,
 * content types, shapes and sizes of blocks, unknown channels and messages, and trigger ids that were used or are older than three
 * seconds. It waits for the response to an interaction for as long as it takes.
 *
 * @param options.now of its own clock, epoch milliseconds
 */
export async function slackServer({ now = Date.now }: { now?: () => number } = {}) {
  const messages = new Map<string, SlackMessage>();
  const ephemerals: { user: string; text: string; blocks: readonly Block[] }[] = [];
  const views: Modal[] = [];
  const calls: Call[] = [];
  const triggers = new Map<string, { at: number; used: boolean }>();
  const members = new Set(['U0ADA', 'U0BEN', 'U0EVE', 'U0STRANGER']);
  const channels = new Set([slackChannelId]);
  const limited: { method: string; seconds: number }[] = [];
  const failing: { method: string; error: string }[] = [];
  let last = 0;
  /** Called when a request has had its effect, before the response. */
  let afterEffect: (call: Call) => void | Promise<void> = () => {};

  function nextTs(): string {
    last = Math.max(last + 1, now() * 1_000);
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`;
  }
  const parse = <Shape>(schema: z.ZodType<Shape>, args: unknown): Shape => {
    const { data, error } = schema.safeParse(args);
    return data ?? refuse(error?.issues[0]?.path[0] === 'blocks' ? 'invalid_blocks' : 'invalid_arguments');
  };
  const inChannel = (channel: string) => void (channels.has(channel) || refuse('channel_not_found'));

  const methods: Record<string, (args: Record<string, unknown>) => object> = {
    'auth.test': () => ({ team_id: teamId, bot_id: botId, user_id: 'U0BOT' }),
    'chat.postMessage'(args) {
      const { channel, text, blocks, metadata: data } = parse(postArgs, args);
      inChannel(channel);
      const ts = nextTs();
      messages.set(ts, { channel, ts, text, blocks, metadata: data, bot: botId, edits: 0 });
      return { channel, ts };
    },
    'chat.update'(args) {
      const { channel, ts, text, blocks, metadata: data } = parse(updateArgs, args);
      inChannel(channel);
      const found = messages.get(ts) ?? refuse('message_not_found');
      if (found.bot !== botId) refuse('cant_update_message');
      messages.set(ts, { ...found, text, blocks, metadata: data ?? found.metadata, edits: found.edits + 1 });
      return { channel, ts };
    },
    'chat.postEphemeral'(args) {
      const { channel, user, text, blocks } = parse(ephemeralArgs, args);
      inChannel(channel);
      if (!members.has(user)) refuse('user_not_in_channel');
      ephemerals.push({ user, text, blocks });
      return { message_ts: nextTs() };
    },
    'conversations.history'(args) {
      const {
        channel,
        oldest = '0',
        latest = '9999999999',
        limit = '100',
        cursor = '0',
      } = args as Record<string, string>;
      inChannel(channel ?? '');
      if (Number(limit) > 999) refuse('invalid_limit');
      const found = [...messages.values()]
        .filter((each) => each.channel === channel && +each.ts >= +oldest && +each.ts <= +latest)
        .sort((one, other) => +other.ts - +one.ts);
      const end = Number(cursor) + Number(limit);
      return {
        messages: found.slice(Number(cursor), end).map(({ ts, text, bot, metadata: data }) => ({
          ...{ type: 'message', ts, text, bot_id: bot },
          ...(args.include_all_metadata === 'true' && data && { metadata: data }),
        })),
        has_more: end < found.length,
        response_metadata: { next_cursor: end < found.length ? String(end) : '' },
      };
    },
    'views.open'({ trigger_id: id, view }) {
      const trigger = triggers.get(String(id)) ?? refuse('invalid_trigger_id');
      if (trigger.used) refuse('exchanged_trigger_id');
      if (now() - trigger.at > 3_000) refuse('expired_trigger_id');
      trigger.used = true;
      views.push(parse(modal, view));
      return { view: {} };
    },
  };
  const formsOnly = new Set(['auth.test', 'conversations.history']);

  const served = await serve({
    fetch: async (request) => {
      const method = new URL(request.url).pathname.replace('/api/', '');
      const body = await request.text();
      if (body.length > mostBytes) return new Response(null, { status: 413 });
      const limit = limited.findIndex((each) => each.method === method);
      if (limit !== -1) {
        const [{ seconds = 1 } = {}] = limited.splice(limit, 1);
        return new Response('', { status: 429, headers: { 'retry-after': String(seconds) } });
      }
      try {
        if (request.headers.get('authorization') !== `Bearer ${slackToken}`) refuse('invalid_auth');
        const planned = failing.findIndex((each) => each.method === method);
        if (planned !== -1) refuse(failing.splice(planned, 1)[0]?.error ?? '');
        const type = request.headers.get('content-type') ?? '';
        const isJson = /^application\/json; charset=utf-8$/.test(type);
        if (isJson ? formsOnly.has(method) : !type.startsWith('application/x-www-form-urlencoded'))
          refuse('invalid_post_type');
        const args = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
        const run = methods[method] ?? refuse('unknown_method');
        const result = run(args);
        const call = { method, args };
        calls.push(call);
        await afterEffect(call);
        return Response.json({ ok: true, ...result });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return Response.json({ ok: false, error: error.message });
      }
    },
  });

  let interactions = async (_request: Request): Promise<Response> => new Response(null, { status: 404 });
  const signature = (body: string, seconds: number, secret: string) =>
    `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`;

  /** A signed request, for the interactions endpoint. Tests tamper with its parts. */
  function request(
    payload: object,
    { at = now(), secret = slackSecret, headers = {}, change = (body: string) => body } = {},
  ): Request {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const seconds = Math.floor(at / 1_000);
    return new Request('http://app.local/api/slack/interactions', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(seconds),
        'x-slack-signature': signature(body, seconds, secret),
        ...headers,
      },
      body: change(body),
    });
  }

  const send = (sent: Request): Promise<Response> => interactions(sent);

  const person = (user: string, team: string) => ({
    ...{ team: { id: team, domain: 'test' }, user: { id: user, username: 'someone', team_id: team } },
    ...{ api_app_id: 'A1', token: 'unused' },
  });

  return {
    ...{
      url: `${served.url}/api`,
      calls,
      ephemerals,
      views,
      triggers,
      request,
      send,
      limited,
      failing,
      messages,
    },
    list: () => [...messages.values()],
    /** A message of another app, with any metadata. */
    foreign(message: Pick<SlackMessage, 'metadata'>) {
      const ts = nextTs();
      messages.set(ts, {
        channel: slackChannelId,
        ts,
        text: '',
        blocks: [],
        bot: 'B0OTHER',
        edits: 0,
        ...message,
      });
    },
    onEffect(callback: typeof afterEffect) {
      afterEffect = callback;
    },
    /** Where interactions are sent. */
    connect(handler: typeof interactions) {
      interactions = handler;
    },
    buttons: ({ blocks }: SlackMessage): Button[] =>
      blocks.flatMap((block) => (block.type === 'actions' ? block.elements : [])),
    /** What Slack sends when a person clicks a button of a message. */
    clickOf({ channel, ts, blocks }: SlackMessage, label: string, user = 'U0ADA', team = teamId) {
      const elements = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
      const button = elements.find(({ text }) => text.text === label);
      if (!button) throw new Error(`The message has no button “${label}”.`);
      const trigger = randomUUID();
      triggers.set(trigger, { at: now(), used: false });
      return {
        type: 'block_actions',
        ...person(user, team),
        trigger_id: trigger,
        container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
        channel: { id: channel, name: 'approvals' },
        response_url: `${served.url}/unused`,
        actions: [{ ...button, action_ts: nextTs() }],
      };
    },
    /** What Slack sends when a person submits the form that was opened last. */
    submissionOf(text: string, user = 'U0ADA', team = teamId) {
      const view = views.at(-1);
      const [block] = view?.blocks ?? [];
      if (!view || !block) throw new Error('No form was opened.');
      const { element, block_id: name = '' } = block;
      const values = { [name]: { [element.action_id]: { type: 'plain_text_input', value: text || null } } };
      const { private_metadata, callback_id } = view;
      return {
        type: 'view_submission',
        ...person(user, team),
        view: { id: 'V1', type: 'modal', private_metadata, callback_id, state: { values } },
      };
    },
    close: served.close,
  };
}
