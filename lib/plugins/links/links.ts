import type { Route } from '../../flow/plugin/http.ts';
import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { CountersignError, parseApprovalId } from '../../protocol/index.ts';
import { createFormTokens } from './form-token.ts';
import { createLinkLimits } from './link-limits.ts';
import {
  type AnswerLinkSettings,
  checkLifetime,
  checkLinkSettings,
  defaultLifetimeMs,
} from './link-settings.ts';
import { createLinkTokens, type LinkTarget } from './link-token.ts';
import { defaultAnswerLinkWords } from './link-words.ts';
import { linksOpenApi } from './open-api.ts';
import { addressOf, linkPath } from './open-link.ts';
import { serveLink } from './serve-link.ts';

/** The question, the person or role, and the lifetime of a new link. */
export type LinkRequest = {
  /** The question. */
  readonly approvalId: string;
  /** The person, or the role, that may answer by the link. Rights are checked when the link is opened, and again at the answer. */
  readonly for: LinkTarget;
  /** How long the link works, in milliseconds. Default: `lifetimeMs` of the settings. */
  readonly lifetimeMs?: number;
};

/** Links by which people answer. */
export type LinkMethods = {
  /**
   * Makes a link to one question. With the setting `person`, it is a credential: send it only to that person. Nothing is recorded.
   *
   * @returns the address of the link
   * @throws CountersignError `invalid-settings` for a lifetime out of range, and for a role without `authorize`;
   * `invalid-request` if `approvalId` is not the id of a question
   */
  create(request: LinkRequest): Promise<string>;
};

/** The plugin. Its own `create` is for channels, which are set up before the flow. */
export type AnswerLinks = FlowPlugin<'links', LinkMethods> & LinkMethods;

/**
 * Makes and serves links by which one person, or any signed-in person with a role, can answer one question without JavaScript, for
 * example from an e-mail. Opening a link shows the question. The answer needs two forms, and is checked like every other answer.
 *
 * @example
 * const answerLinks = links({ secret, baseUrl: 'https://app.example.com/api', authorize });
 * const flow = createApprovalFlow({ store, model, tools, plugins: [answerLinks] });
 * await flow.links.create({ approvalId, for: { role: 'manager' } });
 *
 * @throws CountersignError `invalid-settings`
 * @source ADR 0045
 */
export function links(settings: AnswerLinkSettings): AnswerLinks {
  checkLinkSettings(settings);
  const { secret, lifetimeMs: usual = defaultLifetimeMs, clock = systemClock } = settings;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const tokens = createLinkTokens(secrets);
  const forms = createFormTokens(secrets);
  const words = { ...defaultAnswerLinkWords, ...settings.words };
  const methods: LinkMethods = {
    async create({ approvalId, for: target, lifetimeMs = usual }) {
      checkLifetime(lifetimeMs);
      const issuedAt = clock.now();
      const token = await tokens.seal({
        approvalId: parseApprovalId(approvalId),
        target: checkTarget(target, settings),
        issuedAt,
        expiresAt: issuedAt + lifetimeMs,
      });
      return addressOf(settings, token);
    },
  };
  return {
    ...methods,
    name: 'links',
    setUp(kernel) {
      const server = { kernel, settings, tokens, forms, words, clock, limits: createLinkLimits(clock) };
      const route: Route = (request) => serveLink(server, request);
      return {
        methods,
        // They have a guard, an identity and limits of their own, and refuse with a page.
        endpoints: () => [{ path: linkPath, methods: { GET: route, POST: route } }],
        openApi: linksOpenApi,
      };
    },
  };
}

/** The longest id or role in a link, in characters. Some mail programs cut off long addresses. */
const longestName = 200;

function checkTarget(target: LinkTarget, { authorize }: AnswerLinkSettings): LinkTarget {
  const name = target.id ?? target.role;
  if (typeof name !== 'string' || name === '' || name.length > longestName) {
    const message = `\`for\` must be \`{ id }\` or \`{ role }\`, with 1 to ${longestName} characters.`;
    throw new CountersignError('invalid-settings', message);
  }
  if (target.id !== undefined) return { id: target.id };
  if (authorize) return { role: target.role };
  throw new CountersignError(
    'invalid-settings',
    'A link for a role needs `authorize`. Pass it to the plugin `links`.',
  );
}
