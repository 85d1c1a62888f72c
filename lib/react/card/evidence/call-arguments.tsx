'use client';

import { isRecord } from '../../../protocol/json.ts';
import { useCardWords } from '../../words/card-words.ts';
import { JsonDetails } from './values/json-details.tsx';
import { ReadableValue } from './values/readable-value.tsx';

/** The arguments of a call in readable form, with the exact JSON on demand. @param label of the JSON's toggle */
export function CallArguments({ input, label }: { input: unknown; label: string }) {
  const words = useCardWords();
  const isEmpty = isRecord(input) && Object.keys(input).length === 0;
  return (
    <>
      {isEmpty ? <p data-countersign="value-none">{words.noArguments}</p> : <ReadableValue value={input} />}
      <JsonDetails label={label} value={input} />
    </>
  );
}
