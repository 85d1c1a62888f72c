/** Loaded for the first questions that are alike. A module of its own, so that a bundler omits it from pages without an inbox. */
export const loadDifferences = () => import('../../client/inbox/differences.ts');
