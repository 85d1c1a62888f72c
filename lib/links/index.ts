export { type AnswerLinks, createAnswerLinks, type LinkRequest } from './answer-links.ts';
export type { AnswerLinkSettings } from './link-settings.ts';
export type { LinkTarget } from './link-token.ts';
export { type AnswerLinkWords, defaultAnswerLinkWords } from './link-words.ts';
