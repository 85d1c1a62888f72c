const shapes = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  plus: 'M10 4v12M4 10h12',
  send: 'M10 16V4.5M5 9.5l5-5 5 5',
  stop: 'M6 6h8v8H6z',
  alert: 'M10 6v5M10 14v.1M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15z',
  retry: 'M15.8 8A6.2 6.2 0 104 12.5M16 4v4h-4',
  edit: 'M12.5 4.5l3 3L7 16l-3.5.500.5-3.5zM11 6l3 3',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10',
  back: 'M12.500 5l-5 5 5 5',
  sun: 'M10 6.8a3.2 3.2 0 100 6.4 3.2 3.2 0 000-6.4zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  moon: 'M16 11.5A6.5 6.5 0 018.5 4a6.5 6.5 0 107.5 7.5z',
  system: 'M3 4.5h14v9H3zM7.5 16.5h5M10 13.5v3',
  inbox: 'M3.500 11.500h3.500l1 2h4l1-2h3.500M3.500 11.500v4h13v-4l-2.200-7H5.700z',
  settings:
    'M3 6.500h7M14 6.500h3M12 4.500a2 2 0 100 4 2 2 0 000-4zM3 13.500h3M10 13.500h7M8 11.500a2 2 0 100 4 2 2 0 000-4z',
  timeline: 'M3.500 5.500h6M7 10h6.500M11 14.500h5.500M3.500 3v14',
} as const;

/** Names of the drawings that the pages use. */
export type IconName = keyof typeof shapes;

/** A line drawing beside a word, or inside a button that has a name of its own. 20 × 20 pixels. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
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
