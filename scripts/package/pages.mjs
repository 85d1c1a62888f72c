/** The pages of the package. The other documents stay in the repository. */
export const pages = ['README.md', 'CHANGELOG.md'];

const packed = [...pages, 'LICENSE'];

const link = String.raw`(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)`;
const onlyLinks = new RegExp(String.raw`\s+\(${link}(?:,\s+${link})*\)`, 'g');
const nextSteps = /^## Next steps\n[\s\S]*?(?=^## |(?![\s\S]))/m;

/**
 * A page as the package has it. A package page cannot show a picture with a relative address, so each is left out. A link to
 * a file that is not in the package becomes text. If it stands alone in parentheses, they are left out, and so is a point of the
 * next steps that has such a link.
 *
 * @param {string} text
 * @returns {string}
 * @source ADR 0057.7
 */
export function packedPage(text) {
  return text
    .replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(nextSteps, (section) =>
      section.replaceAll(/^- .*\n(?: +.*\n)*/gm, (point) => (targetsOf(point).every(isPacked) ? point : '')),
    )
    .replaceAll(onlyLinks, (links) => (targetsOf(links).some(isPacked) ? links : ''))
    .replaceAll(new RegExp(link, 'g'), (found, label, target) => (isPacked(target) ? found : label));
}

/** @param {string} text */
function targetsOf(text) {
  return [...text.matchAll(new RegExp(link, 'g'))].map(([, , target = '']) => target);
}

/** @param {string} target */
function isPacked(target) {
  return packed.includes(target.replace(/#.*$/, ''));
}
