import type { UpcomingCallJson } from '../client/upcoming-json.ts';

/** Why a call cannot be pre-approved. */
type OnlyWhenDue = NonNullable<UpcomingCallJson['onlyWhenDue']>;

/** All texts for upcoming calls. Pass your own for another language or tone. */
export type UpcomingWords = {
  title: string;
  hint: string;
  /**
   * How many calls of a tool follow.
   *
   * @param count at least 1
   * @param title of the tool
   * @param totals of the amounts in the arguments, one for each currency, if each call has one
   */
  more(count: number, title: string, totals: readonly string[] | undefined): string;
  /** The label of a call's checkbox. Screen readers read it with the sentence of the call. */
  tick: string;
  all: string;
  /** @param count of the selected calls; may be 0 */
  approve(count: number): string;
  approving: string;
  /** @param name of the person who pre-approved the call */
  approved(name: string): string;
  takeBack: string;
  /** @param count of the calls that were approved, at least 1 */
  done(count: number): string;
  takenBack: string;
  /** Shown if nothing was recorded, or if that is unknown. */
  failed: string;
  onlyWhenDue(why: OnlyWhenDue): string;
  /** @param count of the high-risk calls, at least 1 */
  confirmTitle(count: number): string;
  confirm: string;
  cancel: string;
};

const whyOnlyWhenDue: { readonly [Why in OnlyWhenDue]: string } = {
  'step-up': 'Requires a recent sign-in when it is due.',
  approvals: 'Several people must approve it when it is due.',
  effect: 'Its effect is shown when it is due.',
  paused: 'The tool is paused.',
  provider: 'Can be approved only when it is due.',
  imported: 'Can be approved only when it is due.',
  choice: 'Its options are shown when it is due.',
};

/** Plain English. */
export const defaultUpcomingWords: UpcomingWords = {
  title: 'Upcoming in this chat',
  hint: 'These calls ask for approval one at a time. A pre-approved call runs in turn, without asking.',
  more(count, title, totals) {
    const sum = totals ? `, ${totals.join(' and ')} in total` : '';
    return `${count} more ${count === 1 ? 'call' : 'calls'} of ${title}${sum}`;
  },
  tick: 'Pre-approve',
  all: 'Select all',
  approve: (count) => `Pre-approve ${count}`,
  approving: 'Approving…',
  approved: (name) => `Pre-approved by ${name}`,
  takeBack: 'Revoke',
  done: (count) => `${count} pre-approved.`,
  takenBack: 'Revoked.',
  failed: "Your change couldn't be saved. Check the list.",
  onlyWhenDue: (why) => whyOnlyWhenDue[why],
  confirmTitle: (count) =>
    count === 1 ? 'Pre-approve a high-risk call?' : `Pre-approve ${count} high-risk calls?`,
  confirm: 'Yes, pre-approve',
  cancel: 'Cancel',
};
