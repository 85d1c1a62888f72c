import { z } from 'zod';
import type { ReportedQuestion } from '../question-summary.ts';
import { plain } from './block-text.ts';
import type { SlackWords } from './slack-words.ts';

const choiceSchema = z.object({
  /** The id of the question. */
  id: z.string(),
  /** The digest of the question as shown. */
  digest: z.string().optional(),
  /** The digest of the effect as shown. */
  effect: z.string().optional(),
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

/**
 * The buttons that answer a question. This is the one place that decides what can be answered in a message.
 *
 * @param isComplete false if the message does not show the whole request
 * @source ADR 0051.3
 */
export function choicesOf(
  question: ReportedQuestion & Marks,
  { words, isComplete }: { readonly words: SlackWords; readonly isComplete: boolean },
) {
  const value = JSON.stringify(shownOf(question));
  const deny = {
    type: 'button',
    action_id: actionIds.deny,
    text: plain(words.deny),
    style: 'danger',
    value,
  } as const;
  if (!isComplete || !mayApproveHere(question)) return [deny];
  const confirm = {
    title: plain(words.confirmTitle),
    text: plain(words.confirmText),
    confirm: plain(words.approve),
    deny: plain(words.cancel),
    style: 'danger',
  } as const;
  const approve = {
    type: 'button',
    action_id: actionIds.approve,
    text: plain(words.approve),
    style: 'primary',
    value,
    ...(question.risk === 'high' && { confirm }),
  } as const;
  return [approve, deny];
}

/** The question in the value of a button, or in the hidden field of a form; `undefined` for anything else. */
export function readShown(value: string | undefined): ShownQuestion | undefined {
  try {
    return choiceSchema.safeParse(JSON.parse(value ?? '')).data;
  } catch {
    return undefined;
  }
}

function shownOf({ id, digest, preview }: ReportedQuestion): ShownQuestion {
  return {
    id,
    ...(digest !== undefined && { digest }),
    ...(preview?.state === 'made' && { effect: preview.digest }),
  };
}

function mayApproveHere({ needsInput, preview, outdated, paused }: ReportedQuestion & Marks): boolean {
  const isUnknown = preview?.state === 'failed' && preview.required === true;
  return !needsInput && !outdated && !paused && !isUnknown;
}
