'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Change, changesBetween } from '../../../client/form/changes.ts';
import type { Field } from '../../../client/form/field.ts';
import { type Draft, draftOf } from '../../../client/form/field-draft.ts';
import type { LoadInputSchema } from '../../../client/form/load-input-schema.ts';
import { parseField } from '../../../client/form/parse-field.ts';
import { type FieldPath, type FieldProblem, readDraft } from '../../../client/form/read-draft.ts';
import type { Question } from '../../../client/question.ts';
import { refusalText } from '../../../client/refusal-text.ts';
import { useLatest } from '../../use-latest.ts';

type Stage =
  | { readonly type: 'closed' }
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly reason: string }
  | {
      readonly type: 'open';
      readonly field: Field;
      /** As proposed: to go back to. */
      readonly initial: Draft;
      readonly draft: Draft;
      /** How often Approve was pressed with problems. Problems are shown after the first time. */
      readonly attempts: number;
    };

/** The editing of a question's arguments. */
export type Editing = {
  readonly stage: Stage;
  /** The parsed draft, while the form is open. */
  readonly input: unknown;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
  readonly changes: readonly Change[];
  /** Loads the form and opens it. */
  readonly open: () => void;
  /** Closes the form and drops the changes. */
  readonly close: () => void;
  readonly change: (draft: Draft) => void;
  /** Shows the problems, after an attempt to approve. */
  readonly showProblems: () => void;
};

const noProblems: ReadonlyMap<FieldPath, FieldProblem> = new Map();

/**
 * Keeps the arguments of a question while a person edits them: the schema is loaded when they begin.
 *
 * @param begun earlier edits to continue with
 */
export function useEditing(question: Question, load: LoadInputSchema, begun: unknown): Editing {
  const [stage, setStage] = useState<Stage>({ type: 'closed' });
  const proposed = question.input;

  const reading = useMemo(() => {
    if (stage.type !== 'open') return { input: proposed, problems: noProblems, changes: [] };
    const { value, problems } = readDraft(stage.field, stage.draft);
    return { input: value, problems, changes: changesBetween(proposed, value) };
  }, [stage, proposed]);

  const open = async (input: unknown) => {
    setStage({ type: 'loading' });
    try {
      const field = parseField(await load(question));
      const [initial, draft] = [draftOf(field, proposed), draftOf(field, input)];
      const opened: Stage = { type: 'open', field, initial, draft, attempts: 0 };
      setStage((now) => (now.type === 'loading' ? opened : now));
    } catch (error) {
      setStage((now) => (now.type === 'loading' ? { type: 'failed', reason: refusalText(error) } : now));
    }
  };

  const change = useCallback((draft: Draft) => {
    setStage((now) => (now.type === 'open' ? { ...now, draft } : now));
  }, []);

  const goOn = useLatest(() => {
    if (begun !== undefined && stage.type === 'closed') void open(begun);
  });
  useEffect(() => goOn(), [goOn]);

  return {
    stage,
    ...reading,
    open: () => void open(proposed),
    close: () => setStage({ type: 'closed' }),
    change,
    showProblems: () =>
      setStage((now) => (now.type === 'open' ? { ...now, attempts: now.attempts + 1 } : now)),
  };
}
