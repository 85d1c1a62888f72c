/** What a question that several people must approve says about its votes. */
export type VotesFacts = {
  /** How many people must approve. At least 1. */
  readonly needed: number;
  /** The names of those who did, in order. */
  readonly approved: readonly string[];
  /** The names of those who denied, in order. */
  readonly denied: readonly string[];
};

/** All texts for the votes of a question. Pass your own for another language or tone. */
export type VotesWords = {
  /** How many have approved, and who. */
  progress(facts: VotesFacts): string;
  /**
   * For a person who has voted on an open question, or for whom somebody else has.
   *
   * @param approved whether this person approved; absent if the page does not know
   * @param missing how many approvals are missing, at least 1
   */
  yours(approved: boolean | undefined, missing: number): string;
  /** Earlier votes do not count. @param isEdited the arguments changed, not the tool */
  dropped(isEdited: boolean): string;
  /** Who changed the arguments. */
  editedBy(name: string): string;
};

/** Plain English. */
export const defaultVotesWords: VotesWords = {
  progress({ needed, approved, denied }) {
    const count = `${approved.length} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}`;
    const who = [
      ...(approved.length > 0 ? [`${listed(approved)} approved`] : []),
      ...(denied.length > 0 ? [`${listed(denied)} denied`] : []),
    ];
    return who.length === 0 ? `${count}.` : `${count}: ${who.join(', ')}.`;
  },
  yours(approved, missing) {
    const done =
      approved === undefined ? 'Your vote was counted.' : approved ? 'You approved.' : 'You denied.';
    return `${done} Waiting for ${missing} more ${missing === 1 ? 'approval' : 'approvals'}.`;
  },
  dropped: (isEdited) =>
    `Earlier approvals no longer count because the ${isEdited ? 'arguments' : 'tool'} changed.`,
  editedBy: (name) => `${name} changed the arguments.`,
};

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
