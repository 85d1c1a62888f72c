/**
 * The levels of the tests, the broadest one first. A file belongs to the first level whose pattern it matches.
 *
 * @type {readonly { name: string, about: string, pattern: RegExp }[]}
 */
const levels = [
  { name: 'unit', about: 'one thing at a time, no network', pattern: /^tests\/unit\// },
  {
    name: 'adapters',
    about: 'each store, transport, dialect, channel and provider, over loopback and with real processes',
    pattern:
      /^tests\/(contract\/(dialects|workerd)\/|contract\/(store|postgres|sse-|bidi-|fetch-handler|email|slack|webhooks|app-|health|asyncapi|openapi|recorded-streams)|e2e\/|providers\/|faults\/|upgrade\/)/,
  },
  { name: 'rule tables', about: 'each rule once, as a table', pattern: /^tests\/(contract|adr|mutants)\// },
  { name: 'simulator', about: 'the whole system by seed', pattern: /^tests\/simulator\// },
  { name: 'browser', about: 'the built app in Chromium', pattern: /^tests\/browser\// },
  { name: 'package', about: 'the packed library in the apps of its users', pattern: /^tests\/package\// },
];

/** The order in which they are shown. */
const shown = ['unit', 'rule tables', 'adapters', 'simulator', 'browser', 'package'];

/**
 * Counts the files of each level, and the tests and the time of the last run.
 *
 * @param {readonly string[]} files of tests
 * @param {Record<string, { ms: number, tests: number }>} timings by file
 * @returns {{ name: string, about: string, files: number, unknown: number, tests: number, ms: number }[]} `unknown`: files that have
 * not run; files of no level are under `other`
 */
export function countLevels(files, timings) {
  const other = { name: 'other', about: 'in no level' };
  const byLevel = Object.groupBy(
    files,
    (file) => (levels.find(({ pattern }) => pattern.test(file)) ?? other).name,
  );
  return [...shown, ...(byLevel.other ? ['other'] : [])].map((name) => {
    const ofLevel = byLevel[name] ?? [];
    const known = ofLevel.flatMap((file) => timings[file] ?? []);
    const { about } = levels.find((level) => level.name === name) ?? other;
    const sum = (key) => known.reduce((total, timing) => total + timing[key], 0);
    return {
      name,
      about,
      files: ofLevel.length,
      unknown: ofLevel.length - known.length,
      tests: sum('tests'),
      ms: sum('ms'),
    };
  });
}
