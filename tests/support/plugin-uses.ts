/** How an app uses plugins of this package, as modules that import them. */
export const pluginUses = {
  delegation: 'export const delegating = [delegation, ({ plugins }: Question) => plugins?.delegation];',
  escalation: `
    export const escalating = [escalation(), (plugins: QuestionPlugins) => plugins.escalation];
    export const escalated: ToolDetails = { comments: true, escalation: false };`,
  remembered: `
    export const remembering: AnswerPlugins = { comments: 'Yes.', remembered: undefined };
    export const kept: ToolDetails = { comments: true, remembered: false };
    export const memory = remembered();`,
  votes: `
    export const voting = [votes(), ({ plugins }: Question) => plugins?.votes?.needed];
    export const own = (plugins: QuestionPlugins) => [plugins.comments?.count, plugins.votes?.needed];
    export const voted: ToolDetails = { comments: false, votes: { count: 2 } };`,
} as const;
