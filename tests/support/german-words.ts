import type { WordsGiven } from 'countersign/react';
import { createElement, Fragment } from 'react';

const locale = 'de-DE';
const rules = new Intl.PluralRules(locale);
const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A number with its noun: `counted(2, 'Feld', 'Felder')`. */
export const counted = (count: number, one: string, other: string): string =>
  `${number.format(count)} ${rules.select(count) === 'one' ? one : other}`;

const risks = { low: 'Geringes Risiko', medium: 'Mittleres Risiko', high: 'Hohes Risiko' } as const;

/** German, given through the public words: the texts that depend on number, date or order, and those of a question. */
export const germanWords = {
  card: {
    approvalNeeded: 'Freigabe nötig',
    kicker: 'Ihre Freigabe ist nötig',
    approve: 'Freigeben',
    deny: 'Ablehnen',
    risk: (risk) => risks[risk],
    asker: (name, person) =>
      person === undefined
        ? createElement(Fragment, null, 'Der Assistent möchte ', name, ' verwenden')
        : createElement(Fragment, null, 'Der Assistent möchte ', name, ' für ', person, ' verwenden'),
    locale,
    problems: (count) => `Bitte ${counted(count, 'Feld', 'Felder')} prüfen.`,
    moment: (when) =>
      when.toLocaleString(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  },
  inbox: {
    selected: (count) => `${number.format(count)} ausgewählt`,
    denyAll: (count) => `${counted(count, 'Anfrage', 'Anfragen')} ablehnen`,
  },
  timeline: {
    duration: (ms) => (ms < 60_000 ? `${number.format(ms / 1_000)} s` : `${Math.floor(ms / 60_000)} min`),
    moment: (when) => when.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
  },
} satisfies WordsGiven;
