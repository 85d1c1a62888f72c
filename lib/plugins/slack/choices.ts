import { z } from 'zod';

import type { ReportedQuestion } from '../../channels/question-summary.ts';
import { visibleLine } from '../../channels/visible-line.ts';
import { cut, plain } from './block-text.ts';
import type { SlackWords } from './slack-words.ts';

const choiceSchema = z.object({
  /** The id of the question. */
  id: z.string(),
  /** The digest of the question as shown. */
  digest: z.string().optional(),
  /** The digest of the effect as shown. */
  effect: z.string().optional(),
  /** The id of the option that the button stands for. */
  option: z.string().optional(),
});

/** What a button stands for: the question as its message shows it. */
export type ShownQuestion = z.infer<typeof choiceSchema>;

/** The ids of the buttons. */
export const actionIds = {
  approve: 'countersign.approve',
  deny: 'countersign.deny',
  open: 'countersign.open',
} as const;

/** Marks of an open question that only its readers get, and not subscribers. */
export type Marks = { readonly outdated?: unknown; readonly paused?: unknown };

/** A named choice of a question. */
type Option = NonNullable<ReportedQuestion['options']>[number];

/** Slack's limits for the labels of a button, and of the buttons of a confirmation, in characters. */
const longest = { button: 75, confirm: 30 };

/**
 * The buttons that answer a question: Approve and Deny, or one for each of its options. This is the one place that decides what can be
 * answered in a message.
 *
 * @param isComplete false if the message does not show the whole request
 * @returns none for a form, which only its page can show
 * @source ADR 0051.3
 */
export function choicesOf(
  question: ReportedQuestion & Marks,
  { words, isComplete }: { readonly words: SlackWords; readonly isComplete: boolean },
) {
  const { options, needsValue } = question;
  if (needsValue) return [];
  const mayApprove = isComplete && mayApproveHere(question);
  const plainDenial = denialButton(question, words);
  if (!options) return mayApprove ? [approvalButton(question, words, true), plainDenial] : [plainDenial];
  const primary = options.find(({ then }) => then === 'approve');
  const buttons = options.flatMap((option, index): Answer[] => {
    const chosen = { option, index };
    if (option.then === 'deny') return [denialButton(question, words, chosen)];
    return mayApprove ? [approvalButton(question, words, option === primary, chosen)] : [];
  });
  return options.some(({ then }) => then === 'deny') ? buttons : [...buttons, plainDenial];
}

/** A button that answers. */
type Answer = ReturnType<typeof approvalButton> | ReturnType<typeof denialButton>;

/** The option of a button, and its place among the options, which makes the id of the button unique. */
type Chosen = { readonly option: Option; readonly index: number };

function approvalButton(
  question: ReportedQuestion,
  words: SlackWords,
  isPrimary: boolean,
  { option, index }: Partial<Chosen> = {},
) {
  const label = option ? visibleLine(option.label) : words.approve;
  const confirm = {
    title: plain(words.confirmTitle),
    text: plain(words.confirmText),
    confirm: plain(cut(label, longest.confirm)),
    deny: plain(words.cancel),
    style: 'danger',
  } as const;
  return {
    type: 'button',
    action_id: index === undefined ? actionIds.approve : `${actionIds.approve}.${index}`,
    text: plain(cut(label, longest.button)),
    style: isPrimary ? ('primary' as const) : undefined,
    value: JSON.stringify(shownOf(question, option)),
    confirm: question.risk === 'high' ? confirm : undefined,
  } as const;
}

function denialButton(
  question: ReportedQuestion,
  words: SlackWords,
  { option, index }: Partial<Chosen> = {},
) {
  return {
    type: 'button',
    action_id: index === undefined ? actionIds.deny : `${actionIds.deny}.${index}`,
    text: plain(cut(option ? visibleLine(option.label) : words.deny, longest.button)),
    style: 'danger',
    value: JSON.stringify(shownOf(question, option)),
  } as const;
}

/** What the button with this id is for; `undefined` for a button that answers nothing. */
export function purposeOf(actionId: string): 'approve' | 'deny' | undefined {
  const isFor = (id: string) => actionId === id || actionId.startsWith(`${id}.`);
  if (isFor(actionIds.approve)) return 'approve';
  return isFor(actionIds.deny) ? 'deny' : undefined;
}

/** The question in the value of a button, or in the hidden field of a form; `undefined` for anything else. */
export function readShown(value: string | undefined): ShownQuestion | undefined {
  try {
    return choiceSchema.safeParse(JSON.parse(value ?? '')).data;
  } catch {
    return undefined;
  }
}

/** The effect of a question is that of its own arguments, so an option with other arguments has none. */
function shownOf({ id, digest, preview }: ReportedQuestion, option?: Option): ShownQuestion {
  return {
    id,
    digest,
    effect: option?.input === undefined && preview?.state === 'made' ? preview.digest : undefined,
    option: option?.id,
  };
}

function mayApproveHere({ needsInput, preview, outdated, paused }: ReportedQuestion & Marks): boolean {
  const isUnknown = preview?.state === 'failed' && preview.required === true;
  return !needsInput && !outdated && !paused && !isUnknown;
}
