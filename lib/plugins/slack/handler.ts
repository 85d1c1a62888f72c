import { LRUCache } from 'lru-cache';
import type { Route } from '../../flow/plugin/http.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import { errorFacts, isPrincipal, type Principal } from '../../protocol/index.ts';
import { readText } from '../../server/requests/read-text.ts';
import { type Answering, handleInteraction, type Notice } from './answer.ts';
import { escaped, plain } from './block-text.ts';
import { denyForm } from './deny-form.ts';
import { type Interaction, readInteraction } from './interaction.ts';
import { openButton } from './message.ts';
import { verifiedSignature } from './verify-request.ts';

/** A payload contains the message that was clicked. */
const mostBytes = 1024 * 1024;
/** Slack waits three seconds for the response. */
const answerWithinMs = 2_000;
/** Requests of the last five minutes, so that each is handled once. */
const mostSeen = 10_000;

/**
 * The endpoint for Slack's interactions. It checks the signature of each request, and needs no cookie and no origin. It answers within
 * three seconds: work that takes longer continues after the response.
 *
 * @source ADR 0051.4
 */
export function createSlackHandler(parts: Answering): Route {
  const { settings, clock } = parts;
  const { signingSecret, logger } = settings;
  const secrets = typeof signingSecret === 'string' ? [signingSecret] : signingSecret;
  const seen = new LRUCache<string, true>({ max: mostSeen });

  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const type = request.headers.get('content-type') ?? '';
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return empty(415);
    let body: string;
    try {
      body = await readText(request, mostBytes);
    } catch (error) {
      return empty(CountersignError.is(error) && error.code === 'payload-too-large' ? 413 : 400);
    }
    const signature = verifiedSignature(secrets, { headers: request.headers, body }, clock.now());
    if (signature === undefined) return empty(401);
    const interaction = readInteraction(body);
    if (interaction === undefined) return empty(400);
    // A request that is sent again was handled already.
    if (interaction === null || seen.has(signature)) return empty(200);
    seen.set(signature, true);
    const work = respond(parts, interaction).catch((error: unknown) => {
      logger?.error('An interaction of Slack failed.', { error: errorFacts(error) });
      return notify(parts, interaction, { text: parts.words.failed, isRefusal: true });
    });
    settings.waitUntil?.(work);
    return withinTime(parts, work);
  };
}

async function respond(parts: Answering, interaction: Interaction): Promise<Response> {
  const principal = await personOf(parts, interaction);
  const notice = principal
    ? await handleInteraction(parts, interaction, principal)
    : { text: parts.words.unknownPerson, isRefusal: true };
  return notice === undefined ? empty(200) : notify(parts, interaction, notice);
}

/**
 * The person who uses the account. A click does not prove a sign-in, so the facts of a sign-in are removed. Accounts of other workspaces,
 * with which a channel can be shared, are refused.
 */
async function personOf(
  { settings, identity }: Answering,
  { user, teamId }: Interaction,
): Promise<Principal | undefined> {
  const own = await identity();
  if (teamId !== own.teamId || (user.teamId !== undefined && user.teamId !== own.teamId)) return undefined;
  const found: unknown = await settings.principalOf(user.id);
  if (!isPrincipal(found)) return undefined;
  const { sessionId: _session, authenticatedAt: _at, authenticationMethods: _methods, ...principal } = found;
  return principal;
}

/** Shows why nothing was recorded, or that a vote counts: in a message that only this person sees. A form that is refused shows it itself. */
async function notify(
  parts: Answering,
  interaction: Interaction,
  { text, isRefusal }: NonNullable<Notice>,
): Promise<Response> {
  const { api, words, settings } = parts;
  const { place, user, shown } = interaction;
  if (interaction.type === 'deny' && isRefusal) {
    return Response.json({ response_action: 'errors', errors: { [denyForm.block]: text } });
  }
  const url = settings.inboxUrl?.(shown.id);
  const blocks = [
    { type: 'section', text: plain(text) },
    ...(url === undefined ? [] : [{ type: 'actions', elements: [openButton(url, words)] }]),
  ];
  await api('chat.postEphemeral', {
    channel: place.channel,
    user: user.id,
    text: escaped(text),
    blocks,
  }).catch((error: unknown) =>
    settings.logger?.warn('The outcome of a click could not be shown in Slack.', {
      error: errorFacts(error),
    }),
  );
  return empty(200);
}

/** The response, or an empty one if the work takes too long. Slack then closes the form. */
async function withinTime({ clock }: Answering, work: Promise<Response>): Promise<Response> {
  const late = Promise.withResolvers<Response>();
  const cancel = clock.after(answerWithinMs, () => late.resolve(empty(200)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

function empty(status: number): Response {
  return new Response(null, { status });
}
