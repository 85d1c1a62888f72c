/**
 * Assigns the modules that several files of the package need to chunks. Each chunk imports only those above it, so that every
 * module is evaluated once, and before what uses it:
 *
 * - `shared`: what pages load, and servers may load, too;
 * - `elements`: what of it needs React;
 * - `components`: what is only reached through modules marked `'use client'`. The chunk itself is marked;
 * - `server`: the rest.
 *
 * What a single file needs stays in that file. A module that is loaded on demand has a file of its own. What it shares with others
 * is in chunks apart, since a page's bundler keeps all that may be loaded later in the file where it is, even if the page loads
 * that file for another part: `both-` has what a page loads first, `later-` the rest, and `loaders` what loads it. `both-components`
 * also has the components that `elements` needs.
 *
 * @param {ReadonlyMap<string, Module>} modules all of the library by id
 * @param {ReadonlyMap<string, string>} entries the names of the files by the ids of their modules
 * @returns {(id: string) => string | undefined} the name of a module's chunk
 * @source ADR 0057
 */
export function chunkOf(modules, entries) {
  const later = new Set([...modules.values()].flatMap((module) => module.later));
  const roots = new Set([...entries.keys(), ...later]);
  const rootsOf = new Map([...modules.keys()].map((id) => [id, /** @type {string[]} */ ([])]));
  for (const root of roots) for (const id of reached([root])) rootsOf.get(id)?.push(root);

  const named = (/** @type {(name: string) => boolean} */ is) =>
    [...entries].filter(([, name]) => is(name)).map(([id]) => id);
  const commands = reachedLater(named((name) => name === 'cli'));
  const forPages = reachedLater(named(isForPages));
  const forFirst = reached(named(isForPages));
  const forFirstWithoutPlugins = reached(named((name) => isForPages(name) && !name.startsWith('plugins/')));

  const isMarked = (/** @type {string} */ id) => modules.get(id)?.isMarked === true;
  const isForServers = (/** @type {string} */ id) => !later.has(id) || commands.has(id);
  const unmarked = reached(
    [...roots].filter((id) => !isMarked(id) && isForServers(id)),
    (id) => !isMarked(id),
  );
  const marked = reached([...modules.keys()].filter(isMarked));
  const isLoader = (/** @type {string} */ id) => {
    const { imports = [], later: loaded = [] } = modules.get(id) ?? {};
    return loaded.length > 0 && imports.length === 0;
  };
  const needs = (/** @type {string} */ id) => rootsOf.get(id) ?? [];
  const isAlone = (/** @type {string} */ id) => needs(id).length < 2;
  // What a component loads on demand needs no mark.
  const isComponent = (/** @type {string} */ id) =>
    marked.has(id) && !unmarked.has(id) && !(isAlone(id) && needs(id).every((root) => later.has(root)));
  const forLater = reached([...later].filter((id) => !commands.has(id)));
  const belowComponents = reached([...marked].filter(isComponent));

  const belowElements = reached([...modules.keys()].filter((id) => layerOf(id) === 'elements'));

  return (id) => {
    if (isLoader(id)) return 'loaders';
    if (later.has(id)) return isAlone(id) ? undefined : fileOf(id);
    const layer = layerOf(id);
    if (layer === 'components' && belowElements.has(id)) return 'both-components';
    if (layer === undefined || !forLater.has(id)) return layer;
    // A page loads what plugins load later only with their cards, which load the rest first.
    const [root, ...others] = needs(id).filter((each) => later.has(each) && !isOfPlugin(each));
    if (root === undefined) return forFirst.has(id) ? layer : `later-${layer}`;
    if (layer === 'components' || forFirstWithoutPlugins.has(id)) return `both-${layer}`;
    return others.length === 0 && layerOf(root) === layer ? fileOf(root) : `later-${layer}`;
  };

  /** @param {string} id */
  function layerOf(id) {
    if (isComponent(id)) return 'components';
    if (isAlone(id) && !belowComponents.has(id)) return undefined;
    if (!forPages.has(id)) return 'server';
    return importsReact(id) ? 'elements' : 'shared';
  }

  /**
   * @param {readonly string[]} from
   * @param {(id: string) => boolean} [enters]
   * @param {(module: { imports: readonly string[], later: readonly string[] }) => readonly string[]} [next]
   */
  function reached(from, enters = () => true, next = ({ imports }) => imports) {
    const found = new Set(from);
    // Iterating over a set also visits what is added during the iteration.
    for (const id of found) {
      const module = modules.get(id);
      for (const each of module ? next(module) : []) if (enters(each)) found.add(each);
    }
    return found;
  }

  /** @param {string} id */
  function importsReact(id) {
    return [...reached([id])].some((each) =>
      modules.get(each)?.packages.some((name) => /^react(\/|$)/.test(name)),
    );
  }

  /** @param {readonly string[]} from */
  function reachedLater(from) {
    return reached(from, undefined, ({ imports, later }) => [...imports, ...later]);
  }
}

const isOfPlugin = (/** @type {string} */ id) => id.includes('/lib/plugins/');

/** The name of the file that a module has for itself. */
const fileOf = (/** @type {string} */ id) => id.replace(/^.*\/|\.tsx?$/g, '');

/** Whether it is an entry point for the code of pages. */
const isForPages = (/** @type {string} */ name) => /^(bidi|sse)$|(^|\/)(client|react)$/.test(name);

/**
 * @typedef {{
 *   readonly imports: readonly string[],
 *   readonly packages: readonly string[],
 *   readonly later: readonly string[],
 *   readonly isMarked: boolean,
 * }} Module what it imports at once from the library and from packages, and what on demand
 */
