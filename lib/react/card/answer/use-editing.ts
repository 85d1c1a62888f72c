'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { changesBetween } from '../../../client/card/changes.ts';
import { keepUnsent, readUnsent } from '../../../client/card/unsent.ts';
import { needsForm, type Question } from '../../../client/question.ts';
import { refusalText } from '../../../client/text/refusal-text.ts';
import { useReconnected } from '../../connection/server-connection.ts';
import { useLatest } from '../../use-latest.ts';
import type { Editing, EditingStage, FilledForm, OpenForm } from './editing.ts';
import { openJson } from './load-json-form.ts';

/**
 * Keeps the arguments of a question while a person edits them: the form is loaded when they begin, or with the card of a
 * question that cannot be approved without it.
 *
 * @param openForm the page's form. Without it, arguments are edited as JSON, and what a question needs cannot be filled in
 * @param begun earlier edits to continue with
 */
export function useEditing(question: Question, openForm: OpenForm | undefined, begun: unknown): Editing {
  const [stage, setStage] = useState<EditingStage>({ type: 'closed' });
  // What a person fills in is not what the model proposed.
  const proposed = question.needsValue ? undefined : question.input;
  const canEdit = question.state === 'open' && question.mayEdit;
  const isNeeded = canEdit && openForm !== undefined && needsForm(question);
  const [kept, setKept] = useState<unknown>();
  const earlier = begun ?? kept;

  const reading = useMemo(() => {
    if (stage.type !== 'open') return { input: proposed, problems: 0, changes: [] };
    const { value, problems } = stage.form;
    return { input: value, problems, changes: isNeeded ? [] : changesBetween(proposed, value) };
  }, [stage, proposed, isNeeded]);

  const open = async (filledIn: unknown, takesFocus = true) => {
    setStage({ type: 'loading' });
    try {
      const form = await (openForm ?? openJson)(question, filledIn);
      const opened: EditingStage = { type: 'open', form, attempts: 0, takesFocus };
      setStage((now) => (now.type === 'loading' ? opened : now));
    } catch (error) {
      setStage((now) => (now.type === 'loading' ? { type: 'failed', reason: refusalText(error) } : now));
    }
  };

  const change = useCallback((form: FilledForm) => {
    setStage((now) => (now.type === 'open' ? { ...now, form } : now));
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
    if (kept !== undefined || isNeeded) void open(kept, false);
  });
  useEffect(() => goOn(), [goOn]);
  // The form of an answer that was lost with the connection.
  useReconnected(() => {
    if (begun !== undefined && stage.type === 'failed') void open(begun);
  });

  useEffect(() => {
    if (stage.type !== 'open' || !stage.form.isChanged) return;
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
    open: () => void open(isRestoring ? earlier : undefined),
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
