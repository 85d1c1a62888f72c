import { isRecord } from '../protocol/json.ts';
import type { QuestionPlugins } from '../protocol/plugin-fields.ts';
import type { PersonJson } from '../protocol/wire/person.ts';
import type { PreviewJson, PreviewPart } from '../protocol/wire/preview.ts';
import type { AnswerJson, OptionJson, QuestionJson, RepeatJson } from '../protocol/wire/question.ts';
import {
  absentOr,
  anyOf,
  anything,
  type Fields,
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  type Read,
  text,
  time,
} from './http/read-wire.ts';

export const readPerson = object<PersonJson>({ id: text, name: text });

const isTrue = optional(oneOf(true));

const readCell: Read<string | number | boolean | null> = (value) =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) ? (value as null) : undefined;

const readRow: Read<Record<string, string | number | boolean | null>> = (value) => {
  if (!isRecord(value) || !Object.values(value).every((cell) => readCell(cell) !== undefined))
    return undefined;
  return value as Record<string, string>;
};

type PartOf<Type extends PreviewPart['type']> = Extract<PreviewPart, { readonly type: Type }>;

const readPart = anyOf<PreviewPart>(
  object<PartOf<'totals'>>({
    type: oneOf('totals'),
    totals: listOf(object({ label: text, value: anyOf<string | number>(text, number) })),
  }),
  object<PartOf<'list'>>({ type: oneOf('list'), title: absentOr(text), items: listOf(text) }),
  object<PartOf<'table'>>({
    type: oneOf('table'),
    title: absentOr(text),
    rows: listOf(readRow),
    rowCount: absentOr(number),
  }),
  object<PartOf<'diff'>>({ type: oneOf('diff'), title: absentOr(text), before: text, after: text }),
);

export const readPreview = anyOf<PreviewJson>(
  object<Extract<PreviewJson, { readonly state: 'made' }>>({
    state: oneOf('made'),
    at: time,
    digest: text,
    summary: text,
    // An answer sends the digest: it must not name an effect that was not shown.
    parts: absentOr(listOf(readPart)),
  }),
  object<Extract<PreviewJson, { readonly state: 'failed' }>>({
    state: oneOf('failed'),
    at: time,
    required: isTrue,
  }),
);

export const readState = oneOf(
  ...(['open', 'approved', 'denied', 'superseded', 'expired', 'cancelled'] as const),
  ...(['tool-changed', 'withdrawn', 'asked-again'] as const),
);

const readOption = object<OptionJson>({
  id: text,
  label: text,
  then: oneOf('approve', 'deny'),
  input: anything,
  runsAs: anything,
  description: optional(text),
  reason: optional(text),
});

const recorded = { approved: flag, reason: optional(text), by: readPerson, onBehalfOf: optional(readPerson) };

export const readAnswer = object<AnswerJson>({
  ...recorded,
  at: time,
  via: text,
  option: optional(object<Pick<OptionJson, 'id' | 'label'>>({ id: text, label: text })),
  value: anything,
  input: anything,
  runsAs: anything,
});

export const readOutcome = oneOf('approved', 'running', 'completed', 'failed', 'unknown');

/** The fields of a question as they are sent. */
export const questionFields = {
  id: text,
  chatId: text,
  toolCallId: text,
  toolName: text,
  title: optional(text),
  input: anything,
  runsAs: anything,
  description: text,
  state: readState,
  risk: optional(oneOf('low', 'medium', 'high')),
  riskReason: optional(text),
  history: optional(
    object<NonNullable<QuestionJson['history']>>({
      subject: text,
      count: number,
      lastAt: optional(time),
      denied: optional(object({ at: time, by: readPerson })),
    }),
  ),
  askedBy: readPerson,
  requestedAt: time,
  deadline: optional(time),
  position: optional(object<NonNullable<QuestionJson['position']>>({ index: number, of: optional(number) })),
  digest: optional(text),
  replaces: optional(text),
  droppedAnswers: optional(number),
  plugins: optional((value) => (isRecord(value) ? (value as QuestionPlugins) : undefined)),
  earlier: optional(
    listOf(
      object<NonNullable<QuestionJson['earlier']>[number]>({
        toolCallId: text,
        toolName: text,
        title: optional(text),
        outcome: oneOf('failed', 'unknown'),
        error: optional(text),
      }),
    ),
  ),
  needsInput: isTrue,
  needsValue: isTrue,
  preview: optional(readPreview),
  repeatOf: optional(
    object<RepeatJson>({
      at: time,
      outcome: readOutcome,
      chatId: optional(text),
      toolCallId: optional(text),
    }),
  ),
  options: optional(listOf(readOption)),
  answers: optional(
    listOf(object<NonNullable<QuestionJson['answers']>[number]>({ ...recorded, at: time, via: text })),
  ),
  editedBy: optional(readPerson),
  answer: optional(readAnswer),
  mayAnswer: flag,
  onBehalfOf: optional(readPerson),
  mayEdit: flag,
  mayRemember: flag,
  hasAnswered: isTrue,
  whoMayAnswer: optional(text),
  reasonOnDeny: isTrue,
  outdated: isTrue,
  stepUp: optional(
    object<NonNullable<QuestionJson['stepUp']>>({
      maxAgeMs: number,
      methods: optional(listOf(text)),
      needed: flag,
    }),
  ),
  paused: optional(object({ reason: text })),
} satisfies Partial<Fields<QuestionJson>>;
