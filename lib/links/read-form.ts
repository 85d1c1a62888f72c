import { CountersignError } from '../protocol/index.ts';
import { parseDecision } from '../server/requests/answers.ts';
import { readText } from '../server/requests/read-text.ts';
import type { LinkDecision } from './form-token.ts';
import { longestReason } from './page/question-page.ts';

/** A form that a page of a link has sent. */
export type LinkForm = {
  readonly step: 'review' | 'confirm';
  /** The hidden field. @see FormTokens */
  readonly form: string;
  readonly decision: LinkDecision;
};

/** Enough for an encoded reason of 2,000 characters and the other fields. */
const mostBytes = 64 * 1024;

/**
 * Reads a form of the page.
 *
 * @throws CountersignError `payload-too-large` for a body above 64 KiB or a reason above 2,000 characters; `invalid-request` for
 * anything else that is not such a form
 */
export async function readForm(request: Request): Promise<LinkForm> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw foreign();
  if (request.bodyUsed || request.body?.locked === true) throw foreign();
  const fields = new URLSearchParams(await readText(request, mostBytes));
  const [step, form, answer] = ['step', 'form', 'answer'].map((name) => fields.get(name));
  if (!form || (step !== 'review' && step !== 'confirm')) throw foreign();
  if (answer !== 'approve' && answer !== 'deny') throw foreign();
  const reason = reasonIn(fields);
  if (reason.length > longestReason) throw tooLong();
  return { step, form, decision: parseDecision({ approved: answer === 'approve', reason }) };
}

/** Browsers send line breaks as CRLF. */
function reasonIn(fields: URLSearchParams): string {
  return (fields.get('reason') ?? '').replaceAll('\r\n', '\n').trim();
}

function tooLong(): CountersignError {
  return new CountersignError('payload-too-large', `A reason has at most ${longestReason} characters.`);
}

function foreign(): CountersignError {
  return new CountersignError('invalid-request', 'This is not a form of the page.');
}
