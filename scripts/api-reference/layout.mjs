/** The groups of a page, in order. A function whose name starts with a capital letter is a component. */
const groups = [
  { title: 'Functions', includes: ({ name, kind }) => kind === 'function' && !isCapital(name) },
  { title: 'Components', includes: ({ name, kind }) => kind === 'function' && isCapital(name) },
  { title: 'Classes', includes: ({ kind }) => kind === 'class' },
  { title: 'Values', includes: ({ kind }) => kind === 'value' },
  { title: 'Types', includes: ({ kind }) => kind === 'type' },
];

/** The heading of types that are mentioned but not exported. */
export const innerTitle = 'Types that no entry point exports';

/**
 * The content of an entry point's page, in order, and the anchor of each entry. GitHub numbers equal anchors, such as
 * those of `question` and `Question`.
 *
 * @typedef {import('./entry-points.mjs').Entry} Entry
 * @param {import('./entry-points.mjs').EntryPoint} entryPoint
 * @returns {{ groups: readonly { title: string, entries: readonly Entry[] }[], anchors: ReadonlyMap<Entry, string> }}
 */
export function layoutOf(entryPoint) {
  const inOrder = [
    ...groups.map(({ title, includes }) => ({
      title,
      entries: entryPoint.entries.filter(({ declarations: [first] }) => includes(first)),
    })),
    { title: innerTitle, entries: entryPoint.inner },
  ].filter(({ entries }) => entries.length > 0);

  const used = new Map();
  const anchors = new Map();
  const take = (title) => {
    const plain = anchorOf(title);
    const times = used.get(plain) ?? 0;
    used.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
  take(entryPoint.name);
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
