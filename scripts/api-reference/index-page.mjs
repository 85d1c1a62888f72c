/**
 * The list of entry points, in Markdown.
 *
 * @param {readonly import('./entry-points.mjs').EntryPoint[]} entryPoints
 * @param {readonly string[]} files the package's exports that are not modules
 * @returns {string}
 */
export function indexPage(entryPoints, files) {
  const rows = entryPoints.map(({ name, page, about }) => `| [${name}](${page}) | ${about} |`);
  const lines = [
    '# API reference',
    'One page for each entry point of the package. Everything else is internal.',
    ['| entry point | exports |', '|---|---|', ...rows].join('\n'),
    ...(files.length === 0 ? [] : [`Not a module: ${files.map((name) => `\`${name}\``).join(', ')}.`]),
    'Ids (`ChatId`, `ApprovalId`, `MessageId`, `ToolCallId`, `RunId`) are strings with a brand. Times are epoch ' +
      'milliseconds where a name ends in `At` or is `at`, and durations are milliseconds where it ends in `Ms`. ' +
      'Errors are instances of `CountersignError` with a `code`.',
    'Generated from the docstrings by `npm run docs:api`.',
  ];
  return `${lines.join('\n\n')}\n`;
}
