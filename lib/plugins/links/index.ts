export type { AnswerLinkSettings } from './link-settings.ts';
export type { LinkTarget } from './link-token.ts';
export { type AnswerLinkWords, defaultAnswerLinkWords } from './link-words.ts';
export { type AnswerLinks, type LinkMethods, type LinkRequest, links } from './links.ts';
