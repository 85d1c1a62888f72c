import type { PageForm } from '../../channels/page-form.ts';
import type { Kernel } from '../../flow/plugin/plugin.ts';
import type { Clock } from '../../protocol/index.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import { withCurrentId } from '../../settings/former-ids.ts';
import { asksForValue, type FormTokens } from './form-token.ts';
import { laidOut } from './lay-out.ts';
import type { LinkLimits } from './link-limits.ts';
import type { AnswerLinkSettings } from './link-settings.ts';
import type { Link, LinkTokens } from './link-token.ts';
import { type Visitor, visitorOf } from './link-visitor.ts';
import type { AnswerLinkWords, LinkNotice } from './link-words.ts';
import type { NoticeLinks } from './page/notice.ts';
import { outcomePage, questionPage, type Refused } from './page/question-page.ts';

/** What every request for a link needs. */
export type LinkServer = {
  readonly kernel: Kernel;
  readonly settings: AnswerLinkSettings;
  readonly words: AnswerLinkWords;
  readonly tokens: LinkTokens;
  readonly forms: FormTokens;
  readonly limits: LinkLimits;
  readonly clock: Pick<Clock, 'now'>;
};

/** The endpoint of the pages. */
export const linkPath = '/answer/{token}';

/** The address of a link. */
export function addressOf({ baseUrl }: Pick<AnswerLinkSettings, 'baseUrl'>, token: string): string {
  return `${baseUrl}${linkPath.replace('{token}', token)}`;
}

/** A valid link, opened by a person who may use it. */
export type OpenLink = Extract<Visitor, { principal: unknown }> & {
  readonly link: Link;
  /** The address of the link. */
  readonly here: string;
  readonly links: NoticeLinks;
};

/** The question as it is now. @throws CountersignError `not-found` */
export function questionOf({ kernel }: LinkServer, { link, principal }: OpenLink): Promise<QuestionDetails> {
  return kernel.approvals.read({ principal, approvalId: link.approvalId });
}

/** The form of a question that needs a value; `undefined` if the pages have none for it. */
export function formOf({ settings }: LinkServer, question: QuestionDetails): PageForm | undefined {
  return asksForValue(question) ? settings.forms?.(question) : undefined;
}

/** The page of a question: the question while it is open, and then its outcome. */
export function shownQuestion(
  server: LinkServer,
  opened: OpenLink,
  question: QuestionDetails,
  refused?: Refused,
): Response {
  const { words, forms, clock } = server;
  const { principal, link } = opened;
  const shown = { ...opened, question, words, now: clock.now() };
  const form = forms.make({ link, principal, question });
  return laidOut(server, opened, question, () =>
    question.state === 'open'
      ? questionPage({ ...shown, form, valueForm: formOf(server, question) }, refused)
      : outcomePage(shown),
  );
}

/** A link that cannot be used, and the notice to show instead of the question. */
export type NotOpened = { readonly notice: LinkNotice; readonly here?: string } & NoticeLinks;

/** Checks the link and the person before the question is read, so that the result does not depend on whether it exists. */
export async function openLink(server: LinkServer, request: Request): Promise<OpenLink | NotOpened> {
  const { kernel, settings, tokens, limits, clock } = server;
  const { inboxUrl, signInUrl: signIn } = settings;
  const link = await tokens.open(new URL(request.url).pathname.split('/').filter(Boolean).at(-1) ?? '');
  if (!link) return { notice: 'unknown' };
  limits.takeLink(link);
  const links = { inbox: inboxUrl?.(link.approvalId), signIn };
  if (link.expiresAt <= clock.now()) return { notice: 'expired', ...links };
  const here = addressOf(settings, await tokens.seal(link));
  const visitor = await visitorOf({ ...settings, logger: kernel.logger }, link.target, request);
  if ('refusal' in visitor) return { notice: visitor.refusal, here, signIn };
  return { ...visitor, principal: withCurrentId(kernel.settings, visitor.principal), link, here, links };
}
