'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { keepUnsent, readUnsent } from '../../../client/card/unsent.ts';
import { changesBetween } from '../../../client/form/changes.ts';
import type { Draft } from '../../../client/form/field-draft.ts';
import type { LoadInputSchema } from '../../../client/form/load-input-schema.ts';
import type { FieldProblem } from '../../../client/form/read-draft.ts';
import type { Question } from '../../../client/question.ts';
import { refusalText } from '../../../client/text/refusal-text.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';
import { useReconnected } from '../../connection/server-connection.ts';
import { useLatest } from '../../use-latest.ts';
import type { Editing, EditingStage } from './editing.ts';

const noProblems: ReadonlyMap<FieldPath, FieldProblem> = new Map();

/** Few questions are edited: a page downloads the form for the first one that is. */
const loadForm = async () => (await import('../form/form-code.ts')).formCode;

/**
 * Keeps the arguments of a question while a person edits them: the form and the schema are loaded when they begin, or with
 * the card of a question that cannot be approved without them.
 *
 * @param begun earlier edits to continue with
 */
export function useEditing(question: Question, load: LoadInputSchema, begun: unknown): Editing {
  const [stage, setStage] = useState<EditingStage>({ type: 'closed' });
  // What a person fills in is not what the model proposed.
  const proposed = question.needsValue ? undefined : question.input;
  const isNeeded =
    (question.needsInput || question.needsValue) === true && question.mayEdit && question.state === 'open';

  const canEdit = question.state === 'open' && question.mayEdit;
  const [kept, setKept] = useState<unknown>();
  const earlier = begun ?? kept;

  const reading = useMemo(() => {
    if (stage.type !== 'open') return { input: proposed, problems: noProblems, changes: [] };
    const { value, problems } = stage.form.readDraft(stage.field, stage.draft);
    return { input: value, problems, changes: isNeeded ? [] : changesBetween(proposed, value) };
  }, [stage, proposed, isNeeded]);

  const open = async (input: unknown, takesFocus = true) => {
    setStage({ type: 'loading' });
    try {
      const [form, schema] = await Promise.all([loadForm(), load(question)]);
      const field = form.parseField(schema);
      const initial = question.needsValue ? form.newDraft(field) : form.draftOf(field, proposed);
      const draft = input === undefined ? initial : form.draftOf(field, input);
      const opened: EditingStage = { type: 'open', form, field, initial, draft, attempts: 0, takesFocus };
      setStage((now) => (now.type === 'loading' ? opened : now));
    } catch (error) {
      setStage((now) => (now.type === 'loading' ? { type: 'failed', reason: refusalText(error) } : now));
    }
  };

  const change = useCallback((draft: Draft) => {
    setStage((now) => (now.type === 'open' ? { ...now, draft } : now));
  }, []);

  const goOn = useLatest(() => {
    if (stage.type !== 'closed') return;
    if (begun !== undefined) {
      // The form may not load, for example while the connection is lost.
      if (canEdit) keepUnsent(question.id, proposed, { input: begun });
      return void open(begun);
    }
    const kept = canEdit ? readUnsent(question.id)?.input : undefined;
    setKept(kept);
    if (kept !== undefined) void open(kept, false);
    else if (isNeeded) void open(proposed, false);
  });
  useEffect(() => goOn(), [goOn]);
  // The form of an answer that was lost with the connection.
  useReconnected(() => {
    if (begun !== undefined && stage.type === 'failed') void open(begun);
  });

  useEffect(() => {
    if (stage.type !== 'open' || stage.draft === stage.initial) return;
    const input = changesBetween(proposed, reading.input).length > 0 ? reading.input : undefined;
    keepUnsent(question.id, proposed, { input });
  }, [stage, reading, proposed, question.id]);

  // Until the form shows them, an approval would be one of other arguments.
  const isRestoring = earlier !== undefined && (stage.type === 'loading' || stage.type === 'failed');
  return {
    stage,
    isNeeded,
    isRestoring,
    ...reading,
    open: () => void open(isRestoring ? earlier : proposed),
    close() {
      setKept(undefined);
      setStage({ type: 'closed' });
      keepUnsent(question.id, proposed, { input: undefined });
    },
    change,
    showProblems: () =>
      setStage((now) => (now.type === 'open' ? { ...now, attempts: now.attempts + 1 } : now)),
  };
}
