'use client';

import { useMemo, useState } from 'react';
import { parseFieldErrors } from '../../../../client/http/field-errors.ts';
import type { FieldPath } from '../../../../protocol/field-path.ts';
import { isRecord, isSameJson } from '../../../../protocol/json.ts';
import type { Field } from '../../client/field.ts';
import { fieldAt } from '../../client/field-at.ts';
import type { Draft } from '../../client/field-draft.ts';
import { problemOf } from '../../client/field-error.ts';
import type { FieldProblem, Reading } from '../../client/read-draft.ts';
import { keysOf } from '../../client/schema-reference.ts';

/**
 * The problems that a form shows: its own after the first attempt to approve, and what the server refused, until that
 * value is changed.
 *
 * @param isTried whether the person has pressed Approve
 * @param fieldErrors what did not fit last time, as the server sent it
 */
export function useShownProblems(
  { field, draft, value, problems }: Reading & { readonly field: Field; readonly draft: Draft },
  isTried: boolean,
  fieldErrors: unknown,
): ReadonlyMap<FieldPath, FieldProblem> {
  const [refused, setRefused] = useState({ fieldErrors, value });
  if (refused.fieldErrors !== fieldErrors) setRefused({ fieldErrors, value });

  return useMemo(() => {
    const shown = new Map(isTried ? problems : []);
    for (const fieldError of parseFieldErrors(refused.fieldErrors)) {
      const keys = keysOf(fieldError.path);
      const place = fieldAt(field, draft, fieldError.path).path;
      const isUnchanged = isSameJson(valueAt(refused.value, keys), valueAt(value, keys));
      if (isUnchanged && !shown.has(place)) shown.set(place, problemOf(fieldError));
    }
    return shown;
  }, [field, draft, value, problems, isTried, refused]);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
