/**
 * The list of doors, in Markdown.
 *
 * @param {readonly import('./doors.mjs').Door[]} doors
 * @param {readonly string[]} files what the package exports besides modules
 * @returns {string}
 */
export function indexPage(doors, files) {
  const rows = doors.map(({ name, page, about }) => `| [${name}](${page}) | ${about} |`);
  const lines = [
    '# API reference',
    'One page a door of the package. Whatever is not reached by a door is not part of the API.',
    ['| door | gives |', '|---|---|', ...rows].join('\n'),
    ...(files.length === 0 ? [] : [`Not a module: ${files.map((name) => `\`${name}\``).join(', ')}.`]),
    'Ids (`ChatId`, `ApprovalId`, `MessageId`, `ToolCallId`, `RunId`) are strings with a brand. Times are epoch ' +
      'milliseconds where a name ends in `At` or is `at`, and durations are milliseconds where it ends in `Ms`. ' +
      'What is refused is a `CountersignError` with a `code`.',
    'Generated from the docstrings by `npm run docs:api`.',
  ];
  return `${lines.join('\n\n')}\n`;
}
