import type { OpenForm } from './editing.ts';

/**
 * Few questions are edited: a page downloads the form for the first one that is. A module of its own, so that a bundler omits the
 * download from pages that edit nothing.
 */
export const openJson: OpenForm = async (question, earlier) =>
  (await import('../form/json-form.tsx')).openJson(question, earlier);
