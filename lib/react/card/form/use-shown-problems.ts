'use client';

import { useMemo, useState } from 'react';
import { fieldAt } from '../../../client/form/field-at.ts';
import { parseFieldErrors, problemOf } from '../../../client/form/field-error.ts';
import type { FieldProblem } from '../../../client/form/read-draft.ts';
import { keysOf } from '../../../client/form/schema-reference.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';
import { isRecord, isSameJson } from '../../../protocol/json.ts';
import type { Editing } from '../answer/editing.ts';

/**
 * The problems that a form shows: its own after the first attempt to approve, and what the server refused, until that
 * value is changed.
 *
 * @param fieldErrors what did not fit last time, as the server sent it
 */
export function useShownProblems(
  { stage, input, problems }: Editing,
  fieldErrors: unknown,
): ReadonlyMap<FieldPath, FieldProblem> {
  const [refused, setRefused] = useState({ fieldErrors, input });
  if (refused.fieldErrors !== fieldErrors) setRefused({ fieldErrors, input });

  return useMemo(() => {
    if (stage.type !== 'open') return new Map();
    const shown = new Map(stage.attempts > 0 ? problems : []);
    for (const fieldError of parseFieldErrors(refused.fieldErrors)) {
      const keys = keysOf(fieldError.path);
      const place = fieldAt(stage.field, stage.draft, fieldError.path).path;
      const isUnchanged = isSameJson(valueAt(refused.input, keys), valueAt(input, keys));
      if (isUnchanged && !shown.has(place)) shown.set(place, problemOf(fieldError));
    }
    return shown;
  }, [stage, input, problems, refused]);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
