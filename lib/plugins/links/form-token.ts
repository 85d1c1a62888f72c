import { z } from 'zod';
import { canonicalJson, type Principal, toJson } from '../../protocol/index.ts';
import { encode } from '../../protocol/wire/codec.ts';
import { askedShape } from '../../protocol/wire/question.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import { deriveBytes } from '../../runtime/derive-bytes.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Link } from './link-token.ts';

const askedSchema = z.object(askedShape);

/** What a person decided on the page, before it is confirmed. */
export type LinkAnswer = { readonly approved: boolean; readonly option?: string; readonly reason?: string };

/** What a form of the page is bound to. */
export type BoundForm = {
  readonly link: Link;
  readonly principal: Principal;
  /** When a token is made: as it is shown. When a token is checked: as it is now. */
  readonly question: QuestionDetails;
  /** Present in the second form. */
  readonly answer?: LinkAnswer;
};

/** Makes and checks the token in the hidden field of a form, which proves which page the form came from. */
export type FormTokens = {
  make(form: BoundForm): string;
  /** True if the token was made for this form, and nothing that was shown has changed since. */
  fits(token: string, form: BoundForm): boolean;
};

/**
 * A form token is an HMAC-SHA256 of the link, the person, what was shown and, in the second form, the answer. Another site can
 * neither make nor read one.
 *
 * @param secrets the first one makes tokens; all of them check
 * @source ADR 0045
 */
export function createFormTokens(secrets: readonly string[]): FormTokens {
  const keys = secrets.map((secret) => deriveBytes(secret, 'countersign/answer-link-form/1'));
  const tokensOf = (form: BoundForm) => keys.map((key) => runtime.hmacSha256(key, contentOf(form)));
  return {
    make: (form) => runtime.toBase64url(tokensOf(form)[0] ?? new Uint8Array()),
    fits(token, form) {
      const given = runtime.fromBase64url(token);
      return tokensOf(form).filter((made) => runtime.isSame(given, made)).length > 0;
    },
  };
}

function contentOf({ link, principal, question, answer }: BoundForm): string {
  return canonicalJson(toJson([link, principal.id, shownOf(question), answer ?? null]));
}

/** True if an approval of the question needs a value: the result of `askPerson`, or what a running call asks for. */
export function asksForValue({ waitsIn, needsValue }: QuestionDetails): boolean {
  return waitsIn !== undefined || needsValue === true;
}

/**
 * Everything on the page that an answer is based on. The effect is compared by its digest, without its time. The schema of a form is part
 * of it, because it says what the answer means.
 */
function shownOf(question: QuestionDetails): unknown {
  const { id, toolCallId, toolName, title, input, runsAs, preview, state, outdated, options } = question;
  const effect = preview?.state === 'made' ? preview.digest : preview?.state;
  const form = asksForValue(question) ? question.inputSchema : undefined;
  const explained = { ...encode(askedSchema, question), title, effect, outdated, options, form };
  return { id, toolCallId, toolName, input, runsAs, state, ...explained };
}
