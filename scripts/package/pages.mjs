/** The pages of the package. The other documents stay in the repository. */
export const pages = ['README.md', 'CHANGELOG.md'];

const packed = [...pages, 'LICENSE'];

/**
 * A page as the package has it. A package page cannot show a picture with a relative address, so each is left out. A link to
 * a file that is not in the package becomes text.
 *
 * @param {string} text
 * @returns {string}
 * @source ADR 0057.5
 */
export function packedPage(text) {
  return text
    .replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)/g, (link, label, target) =>
      packed.includes(target.split('#')[0]) ? link : label,
    );
}
