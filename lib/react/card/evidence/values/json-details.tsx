import { visibleText } from '../../../../client/text/visible-text.ts';

/** The exact JSON of a value, on demand. */
export function JsonDetails({ label, value }: { label: string; value: unknown }) {
  return (
    <details data-countersign="json">
      <summary data-countersign="json-toggle">{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre data-countersign="json-text" tabIndex={0}>
        {visibleText(JSON.stringify(value, null, 2) ?? 'undefined')}
      </pre>
    </details>
  );
}
