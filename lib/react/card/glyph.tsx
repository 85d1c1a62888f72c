const shapes = {
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  cross: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  alert: 'M10 6v5M10 14v.1M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15z',
  retry: 'M15.8 8A6.2 6.2 0 104 12.5M16 4v4h-4',
  pen: 'M12.5 4.5l3 3L7 16l-3.5.500.5-3.5zM11 6l3 3',
  search: 'M9 4a5 5 0 100 10A5 5 0 009 4zM12.8 12.8L16.5 16.5',
  chevron: 'M7 5l5 5-5 5',
  arrow: 'M3.5 10h12.500M11.500 5.500L16 10l-4.500 4.500',
  clock: 'M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15zM10 6v4l2.5 2',
  tool: 'M12.3 3.5a4 4 0 00-4.9 5.2l-4.1 4.1a1.9 1.9 0 002.7 2.7l4.1-4.1a4 4 0 005.2-4.9l-2.5 2.4-2.3-.6-.6-2.3z',
} as const;

/** Names of the drawings. */
export type GlyphName = keyof typeof shapes;

/** An icon next to a text with the same meaning, in the colour of the text. Default: 20 × 20 pixels. */
export function Glyph({ name, size = 20 }: { name: GlyphName; size?: number }) {
  return (
    <svg
      data-countersign="glyph"
      data-glyph={name}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
