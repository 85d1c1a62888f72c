import { useSection } from './use-section.ts';

const lines: Readonly<Record<string, string>> = {
  asked: 'Asked',
  previewed: 'Effect determined again',
  answered: 'Answered',
  withdrawn: 'Cancelled',
  decided: 'Decided by a rule',
  granted: 'Approved without asking',
  requested: 'Requested',
  'plugin-event': 'Recorded by a plugin',
  'unknown-event': 'Recorded by another version',
  started: 'Started',
  ended: 'Ended',
  resolved: 'Outcome recorded',
};

/** Plain English. */
export const defaultSheetWords = {
  /** The readable name of the sheet. */
  sheet: 'Request',
  print: 'Print or save',
  asked: 'Asked',
  answered: 'Answered',
  /** How the answer arrived. @param via `sse`, `bidi`, `http`, or a dialect's name */
  via: (via: string): string => `over ${via}`,
  deadline: 'Deadline',
  request: 'Request',
  call: 'Tool call',
  digest: 'Tool digest',
  replaces: 'Replaces request',
  /** Names what came of the call. */
  outcome: 'Outcome',
  chat: 'Chat',
  details: 'Details',
  record: 'Sealed record',
  /** Shown if the record has no line that this person may see. */
  noRecord: 'The sealed record has no entries about this request that you can see.',
  /** The columns of the record. */
  columns: { seq: 'No.', at: 'Time', type: 'Entry', seal: 'Seal' },
  /** What one line of the record is about. @param type as in `GET /api/chat/{chatId}/audit` */
  line: (type: string): string => lines[type] ?? type,
  /** A time with its zone, for a record that is read elsewhere. */
  moment: (at: Date): string =>
    at.toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'long',
    }),
};

/** All texts of `QuestionSheet`, besides those of the card. Pass your own for another language or tone. */
export type SheetWords = Readonly<typeof defaultSheetWords>;

/** The texts of `QuestionSheet`. */
export const useSheetWords = (): SheetWords => useSection('sheet', defaultSheetWords);
