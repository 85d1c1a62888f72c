import { CountersignError } from '../protocol/index.ts';
import { parseDecision } from '../server/requests/answers.ts';
import { readText } from '../server/requests/read-text.ts';
import { optionPrefix } from './page/option-value.ts';
import { longestReason } from './page/question-page.ts';

/** A form that a page of a link has sent. */
export type LinkForm = {
  readonly step: 'review' | 'confirm';
  /** The hidden field. @see FormTokens */
  readonly form: string;
  readonly answer: LinkAnswer;
};

/** What a button of the page stands for: `approved`, or `option` of the question. */
export type LinkAnswer = { readonly approved?: boolean; readonly option?: string; readonly reason?: string };

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
  const [step, form, button] = ['step', 'form', 'answer'].map((name) => fields.get(name));
  if (!form || (step !== 'review' && step !== 'confirm')) throw foreign();
  const chosen = buttonOf(button ?? '');
  const reason = reasonIn(fields);
  if (reason.length > longestReason) throw tooLong();
  const { approved, option, reason: given } = parseDecision({ ...chosen, reason });
  return {
    step,
    form,
    answer: {
      ...(approved !== undefined && { approved }),
      ...(option !== undefined && { option }),
      ...(given !== undefined && { reason: given }),
    },
  };
}

function buttonOf(value: string): Pick<LinkAnswer, 'approved' | 'option'> {
  if (value.startsWith(optionPrefix)) return { option: value.slice(optionPrefix.length) };
  if (value !== 'approve' && value !== 'deny') throw foreign();
  return { approved: value === 'approve' };
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
