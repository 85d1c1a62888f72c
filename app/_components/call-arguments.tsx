import { JsonDetails } from './json-details.tsx';
import { ReadableValue } from './readable-value.tsx';

/** The arguments of a call: as people read them, and exactly, on demand. */
export function CallArguments({ input, label }: { input: unknown; label: string }) {
  const isEmpty = input !== null && typeof input === 'object' && Object.keys(input).length === 0;
  return (
    <>
      {isEmpty ? <p>Without arguments.</p> : <ReadableValue value={input} />}
      <JsonDetails label={label} value={input} />
    </>
  );
}
