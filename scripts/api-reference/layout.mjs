/** Groups of a page, in order. A component is a function whose name begins with a capital. */
const groups = [
  { title: 'Functions', holds: ({ name, kind }) => kind === 'function' && !isCapital(name) },
  { title: 'Components', holds: ({ name, kind }) => kind === 'function' && isCapital(name) },
  { title: 'Classes', holds: ({ kind }) => kind === 'class' },
  { title: 'Values', holds: ({ kind }) => kind === 'value' },
  { title: 'Types', holds: ({ kind }) => kind === 'type' },
];

/** The heading over types that are mentioned and not exported. */
export const innerTitle = 'Types that no entry point exports';

/**
 * What stands on a door's page, in order, and the anchor of each entry there. GitHub numbers anchors that are alike,
 * and `question` and `Question` are.
 *
 * @typedef {import('./doors.mjs').Entry} Entry
 * @param {import('./doors.mjs').Door} door
 * @returns {{ groups: readonly { title: string, entries: readonly Entry[] }[], anchors: ReadonlyMap<Entry, string> }}
 */
export function layoutOf(door) {
  const inOrder = [
    ...groups.map(({ title, holds }) => ({
      title,
      entries: door.entries.filter(({ declarations: [first] }) => holds(first)),
    })),
    { title: innerTitle, entries: door.inner },
  ].filter(({ entries }) => entries.length > 0);

  const used = new Map();
  const anchors = new Map();
  const take = (title) => {
    const plain = anchorOf(title);
    const times = used.get(plain) ?? 0;
    used.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
  take(door.name);
  for (const { title, entries } of inOrder) {
    take(title);
    for (const entry of entries) anchors.set(entry, take(entry.name));
  }
  return { groups: inOrder, anchors };
}

function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function isCapital(name) {
  return /^[A-Z]/.test(name);
}
