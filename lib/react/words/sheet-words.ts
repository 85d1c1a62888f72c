/** All texts of `QuestionSheet`, besides those of the card. Pass your own for another language or tone. */
export type SheetWords = {
  /** The readable name of the sheet. */
  sheet: string;
  print: string;
  asked: string;
  answered: string;
  /** How the answer arrived. @param via `sse`, `bidi`, `http`, or a dialect's name */
  via(via: string): string;
  deadline: string;
  request: string;
  call: string;
  digest: string;
  replaces: string;
  /** Names what came of the call. */
  outcome: string;
  chat: string;
  details: string;
  record: string;
  /** Shown if the record has no line that this person may see. */
  noRecord: string;
  /** The columns of the record. */
  columns: { readonly [Column in 'seq' | 'at' | 'type' | 'seal']: string };
  /** What one line of the record is about. @param type as in `GET /api/chat/{chatId}/audit` */
  line(type: string): string;
  /** A time with its zone, for a record that is read elsewhere. */
  moment(at: Date): string;
};

const lines: Readonly<Record<string, string>> = {
  asked: 'Asked',
  previewed: 'Effect determined again',
  answered: 'Answered',
  withdrawn: 'Cancelled',
  decided: 'Decided by a rule',
  granted: 'Approved without asking',
  'advance-approved': 'Pre-approved',
  'advance-revoked': 'Pre-approval revoked',
  requested: 'Requested',
  'plugin-event': 'Recorded by a plugin',
  'unknown-event': 'Recorded by another version',
  started: 'Started',
  ended: 'Ended',
  resolved: 'Outcome recorded',
};

/** Plain English. */
export const defaultSheetWords: SheetWords = {
  sheet: 'Request',
  print: 'Print or save',
  asked: 'Asked',
  answered: 'Answered',
  via: (via) => `over ${via}`,
  deadline: 'Deadline',
  request: 'Request',
  call: 'Tool call',
  digest: 'Tool digest',
  replaces: 'Replaces request',
  outcome: 'Outcome',
  chat: 'Chat',
  details: 'Details',
  record: 'Sealed record',
  noRecord: 'The sealed record has no entries about this request that you can see.',
  columns: { seq: 'No.', at: 'Time', type: 'Entry', seal: 'Seal' },
  line: (type) => lines[type] ?? type,
  moment: (at) =>
    at.toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'long',
    }),
};
