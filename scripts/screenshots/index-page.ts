/** One picture of the table. */
export type Picture = {
  readonly page: string;
  readonly state: string;
  readonly width: string;
  readonly theme: string;
  /** Its name in the folder of the page. */
  readonly file: string;
};

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 2rem; }
  .row { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; align-items: start; }
  figure { margin: 0; }
  img { max-width: 100%; max-height: 24rem; border: 1px solid gray; }
  figcaption { font-size: 0.875rem; }
`;

/** The table of states as HTML: a section for each page, a row for each state, a picture for each width and theme. */
export function indexPage(pictures: readonly Picture[]): string {
  const pages = [...Map.groupBy(pictures, ({ page }) => page)];
  const links = pages.map(([page]) => `<a href="#${idOf(page)}">${page}</a>`).join(' · ');
  const sections = pages.map(([page, ofPage]) => {
    const rows = [...Map.groupBy(ofPage, ({ state }) => state)].map(([state, row]) => {
      return `<h3>${page}: ${state}</h3>\n<div class="row">\n${row.map(figureOf).join('\n')}\n</div>`;
    });
    return `<h2 id="${idOf(page)}">${page}</h2>\n${rows.join('\n')}`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>States of the pages</title>
<style>${style}</style>
<h1>States of the pages</h1>
<p>${links}</p>
${sections.join('\n')}
</html>
`;
}

function figureOf({ page, state, width, theme, file }: Picture): string {
  const caption = `${width}, ${theme}`;
  return `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${page}: ${state}, ${caption}"></a><figcaption>${caption}</figcaption></figure>`;
}

function idOf(page: string): string {
  return page.toLowerCase().replaceAll(/\W+/g, '-');
}
