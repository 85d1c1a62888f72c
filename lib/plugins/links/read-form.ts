import { controlPrefix, type Typed } from '../../channels/page-form.ts';
import { CountersignError } from '../../protocol/index.ts';
import { parseAnswer } from '../../server/requests/answers.ts';
import { readText } from '../../server/requests/read-text.ts';
import { optionPrefix } from './page/option-value.ts';
import { longestReason } from './page/question-page.ts';

/** A form that a page of a link has sent. */
export type LinkForm = {
  readonly step: 'review' | 'confirm';
  /** The hidden field. @see FormTokens */
  readonly form: string;
  readonly answer: PressedButton;
  /** What was typed into the fields of a form, with line breaks as `\n`. */
  readonly typed: Typed;
};

/** What a button of the page stands for: `approved`, or `option` of the question. */
export type PressedButton = {
  readonly approved?: boolean;
  readonly option?: string;
  readonly reason?: string;
};

/** Enough for an encoded reason of 2,000 characters, and for long answers in most scripts. */
const mostBytes = 256 * 1024;

/**
 * Reads a form of the page.
 *
 * @throws CountersignError `payload-too-large` for a body above 256 KiB or a reason above 2,000 characters; `invalid-request` for
 * anything else that is not such a form
 */
export async function readForm(request: Request): Promise<LinkForm> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw foreign();
  if (request.bodyUsed || request.body?.locked === true) throw foreign();
  const fields = new URLSearchParams(await readText(request, mostBytes));
  const names = [...fields.keys()];
  // No form of the page has two fields of one name.
  if (new Set(names).size < names.length) throw foreign();
  const [step, form, button] = ['step', 'form', 'answer'].map((name) => fields.get(name));
  if (!form || (step !== 'review' && step !== 'confirm')) throw foreign();
  const chosen = buttonOf(button ?? '');
  const reason = reasonIn(fields);
  if (reason.length > longestReason) throw tooLong();
  const { approved, option, reason: given } = parseAnswer({ ...chosen, reason });
  return {
    step,
    form,
    answer: {
      approved,
      option,
      reason: given,
    },
    typed: typedIn(fields),
  };
}

function typedIn(fields: URLSearchParams): Typed {
  const own = [...fields].filter(([name]) => name === controlPrefix || name.startsWith(`${controlPrefix}/`));
  return new Map(own.map(([name, text]) => [name.slice(controlPrefix.length), withPlainBreaks(text)]));
}

function buttonOf(value: string): Pick<PressedButton, 'approved' | 'option'> {
  if (value.startsWith(optionPrefix)) return { option: value.slice(optionPrefix.length) };
  if (value !== 'approve' && value !== 'deny') throw foreign();
  return { approved: value === 'approve' };
}

function reasonIn(fields: URLSearchParams): string {
  return withPlainBreaks(fields.get('reason') ?? '').trim();
}

/** As the page shows it again: browsers send line breaks as CRLF, and no HTML can contain a NUL or a single CR. */
function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}

function tooLong(): CountersignError {
  return new CountersignError('payload-too-large', `A reason has at most ${longestReason} characters.`);
}

function foreign(): CountersignError {
  return new CountersignError('invalid-request', 'This is not a form of the page.');
}
