// depends on: lib scripts/snippets
import { expect, it } from 'vitest';
import { compile } from '../../scripts/snippets/compile.mjs';
import { hangMs } from '../support/hang-ms.ts';
import { pluginUses } from '../support/plugin-uses.ts';

/** A plugin of another package. */
const comments = `
import type { FlowPlugin } from 'countersign/plugin';
declare module 'countersign/plugin' {
  interface QuestionPlugins { readonly comments?: { readonly count: number } }
  interface AnswerPlugins { readonly comments?: string }
  interface ToolPlugins { readonly comments?: boolean }
}
export declare function comments(): FlowPlugin<'comments', object>;
`;

const use = `
import type { Question, ToolDetails } from 'countersign';
import type { AnswerPlugins, QuestionPlugins } from 'countersign/plugin';
export const plugins = [comments()];
export const said = ({ plugins }: Question) => plugins?.comments?.count;
export const counted = (plugins: QuestionPlugins) => plugins.comments?.count;
export const answer: AnswerPlugins = { comments: 'Yes.' };
export const details: ToolDetails = { comments: false };
${Object.values(pluginUses).join('\n')}
`;

const theirs = "import { comments } from './comments.ts';";
const ours = Object.keys(pluginUses).map((name) => `import { ${name} } from 'countersign/plugins/${name}';`);

const moduleOf = (path: string, text: string) => ({
  document: 'page.md',
  path,
  before: '',
  text,
  line: 1,
  isShown: true,
});

it.each([
  ['before', [theirs, ...ours]],
  ['after', [...ours, theirs]],
])(
  'has the types that a plugin of another package declares, if it is imported %s those of this package',
  async (_order, imports) => {
    const modules = [moduleOf('use.ts', `${imports.join('\n')}${use}`), moduleOf('comments.ts', comments)];
    expect(await compile(modules)).toEqual([]);
  },
  hangMs,
);
