import type { Words } from 'countersign/react';
import { createElement, Fragment } from 'react';

const locale = 'de-DE';
const rules = new Intl.PluralRules(locale);
const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const list = new Intl.ListFormat(locale, { type: 'conjunction' });

/** A number with its noun: `counted(2, 'Feld', 'Felder')`. */
const counted = (count: number, one: string, other: string): string =>
  `${number.format(count)} ${rules.select(count) === 'one' ? one : other}`;

type Left = { readonly hours: number; readonly minutes: number };

const waiting = ({ hours, minutes }: Left): string => {
  if (hours > 0) return `Wartet seit ${counted(hours, 'Stunde', 'Stunden')}`;
  return minutes > 0 ? `Wartet seit ${counted(minutes, 'Minute', 'Minuten')}` : 'Gerade gestellt';
};

const ago = ({ hours, minutes }: Left): string => {
  if (hours > 0) return `vor ${counted(hours, 'Stunde', 'Stunden')}`;
  return minutes > 0 ? `vor ${counted(minutes, 'Minute', 'Minuten')}` : 'gerade eben';
};

const risks = { low: 'Geringes Risiko', medium: 'Mittleres Risiko', high: 'Hohes Risiko' } as const;

const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${number.format(ms / 1_000)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
};

const repeated: Words['card']['repeated'] = (outcome, passed) => {
  const when = passed ? ago(passed) : 'zuvor';
  const what = {
    approved: `wurde ${when} freigegeben`,
    running: `begann ${when} und läuft noch`,
    completed: `lief ${when}`,
    failed: `schlug ${when} fehl`,
    unknown: `begann ${when}. Das Ergebnis ist unbekannt`,
  };
  return `Dieselbe Anfrage ${what[outcome]}.`;
};

const earlier: Words['card']['earlier'] = ({ toolName, title = toolName, outcome, error }) =>
  `${title}: ${outcome === 'unknown' ? 'Ergebnis unbekannt' : 'fehlgeschlagen'}.${error ? ` ${error}` : ''}`;

const problem: Words['card']['problem'] = (found) => {
  switch (found.code) {
    case 'missing':
      return 'Pflichtfeld.';
    case 'not-a-number':
      return 'Bitte eine Zahl eingeben.';
    case 'not-whole':
      return 'Bitte eine ganze Zahl eingeben.';
    case 'not-json':
      return 'Bitte gültiges JSON eingeben.';
    case 'not-a-choice':
      return 'Bitte einen der Werte wählen.';
    case 'not-an-email':
      return 'Bitte eine E-Mail-Adresse eingeben, zum Beispiel name@example.com.';
    case 'not-a-url':
      return 'Bitte eine vollständige Adresse eingeben, zum Beispiel https://example.com.';
    case 'not-a-moment':
      return {
        date: 'Bitte ein Datum eingeben.',
        time: 'Bitte eine Uhrzeit eingeben.',
        'date-time': 'Bitte Datum und Uhrzeit eingeben.',
      }[found.precision];
    case 'refused':
      return found.message ?? 'Bitte diesen Wert prüfen.';
    case 'wrong-pattern':
      return 'Bitte das verlangte Format verwenden.';
    case 'too-small':
      return `Mindestens ${number.format(found.limit)}.`;
    case 'too-large':
      return `Höchstens ${number.format(found.limit)}.`;
    case 'not-above':
      return `Mehr als ${number.format(found.limit)}.`;
    case 'not-below':
      return `Weniger als ${number.format(found.limit)}.`;
    case 'not-a-multiple':
      return `Bitte ein Vielfaches von ${number.format(found.limit)} eingeben.`;
    case 'too-short':
      return `Mindestens ${counted(found.limit, 'Zeichen', 'Zeichen')}.`;
    case 'too-long':
      return `Höchstens ${counted(found.limit, 'Zeichen', 'Zeichen')}.`;
    case 'too-few':
      return `Mindestens ${counted(found.limit, 'Eintrag', 'Einträge')}.`;
    case 'too-many':
      return `Höchstens ${counted(found.limit, 'Eintrag', 'Einträge')}.`;
  }
};

const editing = {
  edit: 'Bearbeiten',
  editing: 'Argumente bearbeiten',
  loadingForm: 'Das Formular wird geladen …',
  formFailed: 'Das Formular konnte nicht geladen werden.',
  tryAgain: 'Erneut versuchen',
  cancelEdit: 'Bearbeiten abbrechen',
  nothingToEdit: 'Dieses Werkzeug hat keine Argumente.',
  json: 'Argumente als JSON',
  optional: '(optional)',
  notGiven: 'Nicht gesetzt',
  nullValue: 'Leer',
  defaultOption: (name) => `${name} (Standard)`,
  defaultValue: (value) => `Standard: ${value}`,
  localZone: (zone) => `In Ihrer Zeitzone (${zone}).`,
  kinds: {
    ...{ text: 'Text', number: 'Zahl', moment: 'Datum oder Uhrzeit', 'yes-no': 'Ja oder nein' },
    ...{ choice: 'Auswahl', object: 'Felder', list: 'Liste', union: 'Auswahl', json: 'JSON' },
  },
  fillIn: 'Ihre Antwort',
  hidden: 'Verborgen. Behält den jetzigen Wert.',
  kept: 'Behält den jetzigen Wert.',
  replace: 'Ersetzen',
  keep: 'Jetzigen Wert behalten',
  add: 'Hinzufügen',
  remove: 'Entfernen',
  itemsShown: (from, to, of) => `Einträge ${from} bis ${to} von ${of}`,
  previousItems: 'Frühere Einträge',
  nextItems: 'Weitere Einträge',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  moved: (name, position, count) => `${name}: jetzt an Stelle ${position} von ${count}.`,
  item: (index) => `Eintrag ${index}`,
  changes: 'Ihre Änderungen',
  changed: 'Vor der Freigabe geändert',
  noChanges: 'Noch keine Änderungen.',
  proposed: 'Vorschlag:',
  was: 'war',
  becomes: 'wird',
  whole: 'Argumente',
  problems: (count) => `Bitte ${counted(count, 'Feld', 'Felder')} prüfen.`,
  problemSummary: 'Es gibt ein Problem',
  problem,
} satisfies Partial<Words['card']>;

const tool = {
  callState: {
    sending: 'Ihre Antwort wird gesendet',
    ...{ preparing: 'Wird vorbereitet', asking: 'Wartet auf Sie', approved: '', running: 'Läuft' },
    ...{ searching: 'Sucht', retrying: 'Neuer Versuch', held: 'Fertig', done: 'Fertig' },
    ...{ failed: 'Fehlgeschlagen', unknown: 'Ergebnis unbekannt', denied: 'Nicht ausgeführt' },
    withdrawn: 'Nicht ausgeführt',
  },
  noReason: 'Ohne Begründung.',
  deniedByRule: 'Durch eine Regel abgelehnt',
  heldResult: 'Das Ergebnis folgt nach der letzten Antwort.',
  arguments: 'Argumente',
  argumentsLater: 'Mit dem Ergebnis.',
  argumentsJson: 'Argumente als JSON',
  problemHeading: 'Fehler',
  result: 'Ergebnis',
  resultJson: 'Ergebnis als JSON',
  results: (count) => counted(count, 'Ergebnis', 'Ergebnisse'),
  imported: 'importiert',
  triedTwice: 'zweimal versucht',
  duration,
  you: 'Ihnen',
  localUser: 'der Person am Server',
  outcomeHint: 'Es ist nicht bekannt, ob dies geschehen ist. Prüfen Sie es und halten Sie das Ergebnis fest.',
  outcomeQuestion: 'Was ist geschehen?',
  outcomeChoice: { completed: 'Es ist geschehen', 'not-run': 'Es ist nicht geschehen' },
  outcomeNote: 'Notiz',
  outcomeNoteHint: '(optional, der Assistent liest sie)',
  outcomeSave: 'Ergebnis festhalten',
  outcomeSaving: 'Wird gespeichert …',
  outcomeRecorded: 'Ergebnis festgehalten.',
  outcomeRefused: 'Das Ergebnis wurde nicht gespeichert. Bitte erneut versuchen.',
  resolved: ({ outcome, source, name }) => {
    if (source === 'late') return 'Das Ergebnis kam spät, um';
    if (source === 'lookup') return 'Das Ergebnis wurde nachgesehen um';
    const what = {
      completed: 'es ist geschehen',
      failed: 'es schlug fehl',
      'not-run': 'es ist nicht geschehen',
    };
    return `${name} hielt fest: ${what[outcome]},`;
  },
} satisfies Partial<Words['card']>;

const answerName = (isApproval: boolean): string => (isApproval ? 'Freigabe' : 'Ablehnung');

const delivery = {
  notConnected: 'Keine Verbindung zum Server. Jetzt kann keine Antwort gesendet werden.',
  held: (isApproval) => `${answerName(isApproval)} nicht gesendet: keine Verbindung zum Server.`,
  sendWhenConnected: 'Bei Verbindung senden',
  takeBack: 'Zurücknehmen',
  queued: (isApproval, seconds) =>
    `${answerName(isApproval)} noch nicht gesendet. Sie wird gesendet, wenn die Verbindung in ${counted(seconds, 'Sekunde', 'Sekunden')} zurück ist.`,
  dropped: (isApproval) =>
    `${answerName(isApproval)} nicht gesendet: Es gab keine Verbindung. Bitte erneut antworten.`,
  notSent: 'Nicht gesendet',
  copy: 'Kopieren',
  copied: 'Kopiert',
  discard: 'Verwerfen',
} satisfies Partial<Words['card']>;

const chosen = (isApproved: boolean, label: string) =>
  `${isApproved ? 'Freigegeben' : 'Abgelehnt'}: ${label}`;

const card: Words['card'] = {
  ...editing,
  ...tool,
  ...delivery,
  approvalNeeded: 'Freigabe nötig',
  answerNeeded: 'Antwort nötig',
  kicker: 'Ihre Freigabe ist nötig',
  valueKicker: 'Ihre Antwort ist nötig',
  decline: 'Nicht beantworten',
  sendValue: 'Antwort senden',
  options: 'Was die Möglichkeiten bewirken',
  notYoursKicker: 'Wartet auf Freigabe',
  settledKicker: 'Entschieden',
  place: ({ index, of }) => {
    if (of === undefined) return index === 1 ? undefined : `Anfrage ${index}`;
    return of === 1 ? undefined : `${index} von ${of}`;
  },
  risk: (risk) => risks[risk],
  asker: (name, person) =>
    person === undefined
      ? createElement(Fragment, null, 'Der Assistent möchte ', name, ' verwenden')
      : createElement(Fragment, null, 'Der Assistent möchte ', name, ' für ', person, ' verwenden'),
  spoken: ({ title, description, risk }) =>
    ['Freigabe nötig', `${title}: ${description}`, risk && risks[risk]].filter(Boolean).join('. '),
  waiting,
  repeated,
  showRepeat: 'Anzeigen',
  earlier,
  history: ({ subject, count, passed, denied }) => {
    const denial = denied
      ? ` Zuletzt abgelehnt ${denied.passed ? `${ago(denied.passed)} ` : ''}von ${denied.by}.`
      : '';
    if (count === 0) return denial ? `Noch nie für ${subject}.${denial}` : `Zum ersten Mal für ${subject}.`;
    const times = count === 100 ? 'mindestens 100-mal' : `${number.format(count)}-mal`;
    return `Bisher ${times} für ${subject}${passed ? `, zuletzt ${ago(passed)}` : ''}.${denial}`;
  },
  context: 'Was dazu geführt hat',
  answersFor: (name) => `Sie antworten für ${name}.`,
  eligible: (names, others) => `Antworten können: ${names.join(', ')}${others ? ' und andere' : ''}`,
  asked: 'Nachricht',
  assistant: 'Assistent',
  effect: 'Wirkung',
  effectUnknown: (required) =>
    `Die Wirkung konnte nicht ermittelt werden.${required ? ' Sie können ablehnen oder es später erneut versuchen.' : ''}`,
  rows: (count) => counted(count, 'Zeile', 'Zeilen'),
  timeLeft: ({ hours, minutes, seconds }) => {
    if (hours > 0) return `Endet in ${hours} Std. ${minutes} Min.`;
    return minutes > 0 ? `Endet in ${minutes} Min. ${seconds} Sek.` : `Endet in ${seconds} Sek.`;
  },
  timeIsUp: 'Die Zeit ist um',
  spokenTimeLeft: ({ minutes, seconds }) =>
    `Diese Anfrage endet in ${minutes > 0 ? counted(minutes, 'Minute', 'Minuten') : counted(seconds, 'Sekunde', 'Sekunden')}.`,
  noArguments: 'Keine Argumente',
  showJson: 'JSON zeigen',
  asWritten: 'Wie geschrieben',
  asRun: 'Wie ausgeführt',
  reason: 'Begründung',
  reasonHint: '(optional, der Assistent liest sie)',
  addReason: 'Begründung hinzufügen',
  reasonOnDenyHint: '(bei Ablehnung erbeten, der Assistent liest sie)',
  backToQuestion: 'Zurück zur Anfrage',
  deny: 'Ablehnen',
  controlKey: 'Strg',
  approve: 'Freigeben',
  approveEdited: 'Geändert freigeben',
  approveAndRemember: 'Freigeben und merken',
  approveEditedAndRemember: 'Geändert freigeben und merken',
  sending: 'Ihre Antwort wird gesendet …',
  refused: 'Ihre Antwort wurde nicht angenommen.',
  outdated: 'Dieses Werkzeug hat sich geändert. Sie können ablehnen; die neue Anfrage erscheint von selbst.',
  notYours: 'Wartet auf jemand anderen. Sie können diese Anfrage nicht beantworten.',
  stepUp: 'Melden Sie sich erneut an, um zu antworten.',
  stepUpElsewhere: 'Melden Sie sich erneut an, um zu antworten, und laden Sie die Seite neu.',
  signInAgain: 'Erneut anmelden',
  paused: (reason) => `Angehalten: ${reason} Sie können ablehnen oder nach der Pause freigeben.`,
  remember: 'Diese Freigabe merken',
  rememberScope: 'Merken für',
  once: 'Nur diesen Aufruf',
  inThisChat: 'Diesen Chat',
  always: 'Alle meine Chats',
  rememberMatch: 'Gilt für',
  exactArguments: 'Genau diese Argumente',
  anyArguments: 'Beliebige Argumente',
  remembered: ({ scope, match }, title) => {
    const where = scope === 'chat' ? 'in diesem Chat' : 'in allen Ihren Chats';
    const what = match === 'tool' ? 'mit beliebigen Argumenten' : 'mit genau diesen Argumenten';
    return `${title} läuft ${where} ohne Rückfrage, ${what}. Sie können das widerrufen.`;
  },
  chosen,
  settled: ({ state, answer }) => {
    if (state === 'superseded') return 'Durch eine neue Nachricht abgebrochen';
    if (state === 'cancelled') return 'Abgebrochen: der Lauf wurde angehalten';
    if (state === 'expired') return 'Abgelehnt: niemand hat rechtzeitig geantwortet';
    if (state === 'tool-changed') return 'Abgebrochen: das Werkzeug hat sich geändert';
    if (answer?.value !== undefined) return 'Beantwortet';
    if (answer?.option) return chosen(answer.approved, answer.option.label);
    if (answer?.input !== undefined) return 'Mit geänderten Argumenten freigegeben';
    return (answer?.approved ?? state === 'approved') ? 'Freigegeben' : 'Abgelehnt';
  },
  approvedEdited: 'Mit geänderten Argumenten freigegeben',
  by: (name) => `von ${name}`,
  forPerson: (name, other) => `${name} für ${other}`,
  via: (source) => {
    if (source === 'http') return 'aus dem Eingang';
    return source === 'sse' || source === 'bidi' ? 'aus dem Chat' : undefined;
  },
  moment: (when) => {
    const isToday = when.toDateString() === new Date().toDateString();
    const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
    return when.toLocaleString(locale, { hour: '2-digit', minute: '2-digit', ...day });
  },
  none: 'leer',
  yes: 'Ja',
  no: 'Nein',
  more: (count) => `und ${counted(count, 'weiterer', 'weitere')}`,
  showMore: (hidden, isText) =>
    isText ? `Alles anzeigen (${hidden} weitere Zeichen)` : `Mehr anzeigen (${hidden} nicht gezeigt)`,
  showLess: 'Weniger anzeigen',
  locale,
};

const length = ({ hours, minutes }: Left): string => {
  if (hours >= 48) return counted(Math.floor(hours / 24), 'Tag', 'Tage');
  if (hours > 0) return `${counted(hours, 'Stunde', 'Stunden')} ${number.format(minutes)} min`;
  return minutes > 0 ? counted(minutes, 'Minute', 'Minuten') : 'weniger als eine Minute';
};

const inbox: Words['inbox'] = {
  list: 'Offene Anfragen',
  loading: 'Wird geladen …',
  failed: 'Die Anfragen konnten nicht geladen werden.',
  retry: 'Erneut versuchen',
  reconnecting: 'Verbindung wird aufgebaut. Neue Anfragen erscheinen danach.',
  empty: 'Alles erledigt',
  emptyHint: 'Anfragen aus allen Ihren Chats erscheinen hier von selbst.',
  noMatch: 'Keine offene Anfrage passt.',
  noMatchYet: (loaded) => `Keine der ersten ${counted(loaded, 'Anfrage', 'Anfragen')} passt.`,
  count: (shown, all, isAtLeast) => {
    const total = `${number.format(all)}${isAtLeast ? '+' : ''}`;
    return shown === all ? `${total} offen` : `${number.format(shown)} von ${total} offen`;
  },
  clearFilter: 'Alle zeigen',
  filters: 'Anfragen filtern',
  search: 'Anfragen suchen',
  tool: 'Werkzeug',
  risk: 'Risiko',
  asker: 'Gefragt von',
  any: 'Alle',
  risks,
  age: 'Gestellt',
  ages: { hour: 'In der letzten Stunde', day: 'In den letzten 24 Stunden', older: 'Vor mehr als einem Tag' },
  sort: 'Reihenfolge',
  oldestFirst: 'Älteste zuerst',
  sorts: { deadline: 'Nach Frist', risk: 'Höchstes Risiko zuerst' },
  inChat: (title) => `in „${title}“`,
  differsIn: (name) => `Unterschied: ${name}`,
  argument: (name, value) => `${name}: ${value}`,
  waiting: (passed) =>
    passed.hours + passed.minutes === 0 ? 'Gerade gestellt' : `Wartet seit ${length(passed)}`,
  expires: (left) => `Endet in ${length(left)}`,
  detail: 'Anfrage',
  chooseOne: 'Wählen Sie eine Anfrage, um sie zu sehen.',
  back: 'Zurück zur Liste',
  previous: 'Vorige',
  next: 'Nächste',
  place: (index, of) => `${number.format(index)} von ${number.format(of)}`,
  askedBy: (name) => `für ${name}`,
  select: (description) => `Auswählen: ${description}`,
  selectAll: 'Alle auswählen',
  selected: (count) => `${number.format(count)} ausgewählt`,
  batchReason: 'Begründung',
  batchReasonHint: '(optional, der Assistent liest sie)',
  denyAll: (count) => `${counted(count, 'Anfrage', 'Anfragen')} ablehnen`,
  denying: 'Wird abgelehnt …',
  review: (count) => `${counted(count, 'Anfrage', 'Anfragen')} durchsehen`,
  reviewing: (count) => `${counted(count, 'Anfrage', 'Anfragen')} beantworten`,
  reviewHint: 'Wählen Sie für jede Anfrage eine Antwort. Vorher wird nichts gesendet.',
  answerTo: (description) => `Antwort: ${description}`,
  approveAlone: 'Öffnen Sie diese Anfrage allein, um sie freizugeben.',
  missing: (count) => `${counted(count, 'Anfrage hat', 'Anfragen haben')} noch keine Antwort.`,
  submit: (count) => `${counted(count, 'Antwort', 'Antworten')} senden`,
  submitting: 'Ihre Antworten werden gesendet …',
  clearSelection: 'Auswahl aufheben',
  batchDone: ({ approved, denied, settled, failed }) =>
    `${list.format([
      ...(approved.length > 0 ? [`${number.format(approved.length)} freigegeben`] : []),
      ...(denied.length > 0 ? [`${number.format(denied.length)} abgelehnt`] : []),
      ...(settled.length > 0 ? [`${number.format(settled.length)} von anderen entschieden`] : []),
      ...(failed.length > 0 ? [`${number.format(failed.length)} fehlgeschlagen`] : []),
    ])}.`,
  refusal: (refusal) =>
    refusal.type === 'refused'
      ? refusal.message
      : 'Der Server ist nicht erreichbar. Sie können gefahrlos erneut antworten: nur die erste Antwort zählt.',
  others: 'Wartet auf jemand anderen',
  othersHint: 'Diese Anfragen können Sie nicht selbst beantworten.',
  recent: 'Zuletzt entschieden',
  more: 'Weitere Anfragen zeigen',
  openChat: 'Chat öffnen',
  openDecision: 'Als Seite öffnen',
  opened: ({ title, description }) => `Neue Anfrage. ${title}: ${description}`,
};

const settled: Words['settled'] = {
  list: 'Entschiedene Anfragen',
  loading: 'Wird geladen …',
  failed: 'Die Anfragen konnten nicht geladen werden.',
  retry: 'Erneut versuchen',
  empty: 'Noch keine entschiedenen Anfragen',
  emptyHint: 'Anfragen erscheinen hier, wenn sie beantwortet oder zurückgezogen werden oder ablaufen.',
  noMatch: 'Keine entschiedene Anfrage passt.',
  searched: (found, searched) =>
    `${counted(found, 'Treffer', 'Treffer')} in den letzten ${counted(searched, 'Anfrage', 'Anfragen')}.`,
  clearFilter: 'Alle zeigen',
  more: 'Weitere Anfragen zeigen',
};

const timeline: Words['timeline'] = {
  label: 'Verlauf',
  empty: 'In diesem Chat ist noch nichts geschehen.',
  kinds: {
    model: 'Modell',
    waiting: 'Wartet auf einen Menschen',
    tool: 'Werkzeug',
    retry: 'Wartet auf neuen Versuch',
  },
  states: {
    ...{ running: 'läuft', open: 'offen', completed: 'fertig', failed: 'fehlgeschlagen' },
    ...{ approved: 'freigegeben', denied: 'abgelehnt', cancelled: 'angehalten' },
    superseded: 'durch eine neue Nachricht abgebrochen',
    expired: 'niemand hat rechtzeitig geantwortet',
    withdrawn: 'zurückgezogen: niemand hat rechtzeitig geantwortet',
    'asked-again': 'erneut angefragt: niemand hat rechtzeitig geantwortet',
    'tool-changed': 'neu gefragt: das Werkzeug hat sich geändert',
  },
  status: { idle: 'Fertig', active: 'Läuft', waiting: 'Wartet', failed: 'Fehlgeschlagen' },
  turn: ({ turn, text }) => text || `Nachricht ${turn}`,
  span: ({ kind, label }) => (kind === 'retry' ? `${label} (neuer Versuch)` : label),
  ongoing: 'dauert an',
  summary: 'Zusammenfassung',
  questions: 'Anfragen',
  medianWait: 'Wartezeit (Median)',
  denied: 'Abgelehnt',
  withdrawn: 'Abgebrochen',
  waiting: 'Warten',
  model: 'Modell',
  tools: 'Werkzeuge',
  retries: 'Neue Versuche',
  failures: 'Fehler',
  none: '–',
  export: 'Als JSON exportieren',
  input: 'Argumente',
  output: 'Ergebnis',
  error: 'Fehler',
  answer: 'Antwort',
  editedInput: 'Geänderte Argumente',
  tokens: 'Token',
  usage: ({ inputTokens = 0, outputTokens = 0 }) =>
    `${number.format(inputTokens)} ein, ${number.format(outputTokens)} aus`,
  started: 'Beginn',
  showJson: 'JSON zeigen',
  retryError: 'Voriger Fehler',
  automatic: (approved, reason) =>
    `Ohne Rückfrage ${approved ? 'freigegeben' : 'abgelehnt'}${reason === undefined ? '' : `: ${reason}`}`,
  advance: (name) => `Im Voraus freigegeben von ${name}`,
  duration,
  startsAfter: (ms) => `beginnt nach ${duration(ms)}`,
  moment: (when) => when.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
};

const whyOnlyWhenDue: Record<Parameters<Words['upcoming']['onlyWhenDue']>[0], string> = {
  'step-up': 'Erst freigeben, wenn danach gefragt wird: eine neue Anmeldung ist nötig.',
  effect: 'Erst freigeben, wenn danach gefragt wird: die Auswirkung muss bekannt sein.',
  paused: 'Das Werkzeug ist angehalten.',
  provider: 'Erst freigeben, wenn danach gefragt wird.',
  imported: 'Erst freigeben, wenn danach gefragt wird.',
  approvals: 'Mehrere Personen müssen sie freigeben, wenn sie fällig ist.',
  choice: 'Erst entscheiden, wenn danach gefragt wird: es gibt mehrere Möglichkeiten.',
};

const upcoming: Words['upcoming'] = {
  title: 'Demnächst in diesem Chat',
  hint: 'Danach wird später einzeln gefragt. Was Sie im Voraus freigeben, läuft ohne Rückfrage, wenn es an der Reihe ist.',
  more: (count, title, totals) =>
    `${count} weitere ${count === 1 ? 'Aufruf' : 'Aufrufe'} von ${title}${totals ? `, zusammen ${totals.join(' und ')}` : ''}`,
  tick: 'Im Voraus freigeben',
  all: 'Alle auswählen',
  approve: (count) => `${count} im Voraus freigeben`,
  approving: 'Wird gesendet…',
  approved: (name) => `Im Voraus freigegeben von ${name}`,
  takeBack: 'Zurücknehmen',
  done: (count) => `${count} im Voraus freigegeben.`,
  takenBack: 'Zurückgenommen.',
  failed: 'Nicht gespeichert. Bitte die Liste noch einmal ansehen.',
  onlyWhenDue: (why) => whyOnlyWhenDue[why],
  confirmTitle: (count) => `${count} Aufrufe mit hohem Risiko im Voraus freigeben?`,
  confirm: 'Ja, freigeben',
  cancel: 'Abbrechen',
};

const connection: Words['connection'] = {
  label: 'Verbindung zum Server',
  lost: 'Keine Verbindung zum Server.',
  retryIn: (seconds) => `Neuer Versuch in ${counted(seconds, 'Sekunde', 'Sekunden')}.`,
  retrying: 'Neuer Versuch …',
  retryNow: 'Jetzt versuchen',
  back: 'Wieder verbunden.',
};

const lines: Readonly<Record<string, string>> = {
  ...{
    asked: 'Gefragt',
    bound: 'An das Werkzeug gebunden',
    answered: 'Beantwortet',
    withdrawn: 'Abgebrochen',
  },
  ...{
    decided: 'Durch eine Regel entschieden',
    granted: 'Durch eine gemerkte Freigabe',
    requested: 'Angefragt',
  },
  ...{ started: 'Begonnen', ended: 'Beendet', resolved: 'Ergebnis festgehalten' },
};

const decision: Words['decision'] = {
  sheet: 'Entscheidung',
  print: 'Drucken oder sichern',
  asked: 'Gefragt',
  answered: 'Beantwortet',
  via: (via) => `über ${via}`,
  deadline: 'Frist',
  request: 'Anfrage',
  call: 'Aufruf',
  digest: 'Prüfsumme',
  replaces: 'Ersetzt die Anfrage',
  outcome: 'Ergebnis',
  chat: 'Chat',
  details: 'Einzelheiten',
  record: 'Versiegeltes Protokoll',
  noRecord: 'Das Protokoll hat zu dieser Anfrage keinen Eintrag, den Sie sehen dürfen.',
  columns: { seq: 'Nr.', at: 'Zeit', type: 'Eintrag', seal: 'Siegel' },
  line: (type) => lines[type] ?? type,
  moment: (when) => when.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'long' }),
};

const keys: Words['keys'] = {
  title: 'Tastenkürzel',
  next: 'Nächste Anfrage',
  previous: 'Vorige Anfrage',
  approve: 'Freigeben (bei hohem Risiko mit Rückfrage)',
  deny: 'Ablehnen',
  edit: 'Argumente bearbeiten',
  list: 'Diese Liste zeigen',
  press: 'Die gewählte Anfrage öffnen oder die Schaltfläche drücken',
  approveInCard: 'Freigeben, auch aus der Begründung',
  denyInCard: 'Ablehnen, auch aus der Begründung',
  leave: 'Die Bearbeitung oder diese Liste verlassen',
  singleKeys: 'Kürzel aus einer Taste verwenden',
  close: 'Schließen',
  confirmTitle: 'Diese Anfrage mit hohem Risiko freigeben?',
  confirm: 'Ja, freigeben',
  cancel: 'Abbrechen',
};

const ends = { deny: 'abgelehnt', withdraw: 'zurückgezogen', 'ask-again': 'erneut gestellt' } as const;

const escalation: Words['escalation'] = {
  escalated: (label, at) => `Um ${at} weitergeleitet${label === undefined ? '' : ` an ${label}`}.`,
  ends: (end, at) => `Wird um ${at} ${ends[end]}, wenn niemand antwortet.`,
};

const votes: Words['votes'] = {
  progress({ needed, approved, denied }) {
    const who = [
      ...(approved.length > 0 ? [`freigegeben von ${approved.join(' und ')}`] : []),
      ...(denied.length > 0 ? [`abgelehnt von ${denied.join(' und ')}`] : []),
    ];
    return `${approved.length} von ${needed} Freigaben${who.length > 0 ? `: ${who.join(', ')}` : ''}.`;
  },
  yours: (approved, missing) =>
    `${approved === false ? 'Sie haben abgelehnt.' : 'Sie haben freigegeben.'} Es ${missing === 1 ? 'fehlt' : 'fehlen'} noch ${missing}.`,
  dropped: (isEdited) =>
    `Frühere Freigaben gelten nicht mehr, weil sich ${isEdited ? 'die Argumente geändert haben' : 'das Werkzeug geändert hat'}.`,
  editedBy: (name) => `${name} hat die Argumente geändert.`,
};

/** German, given through the public words. */
export const germanWords: Words = {
  settled,
  card,
  connection,
  decision,
  escalation,
  inbox,
  keys,
  timeline,
  upcoming,
  votes,
  chat: {
    networkTitle: 'Verbindung unterbrochen',
    nothingIsLost: 'Was der Server erhalten hat, ist dort gespeichert.',
    unsentTitle: 'Ihre Nachricht ist nicht angekommen',
    unsent: 'Versuchen Sie es erneut.',
    unconfirmedTitle: 'Nicht bestätigt',
    unconfirmed: 'Die Verbindung brach ab, bevor der Server Ihre Antwort bestätigte.',
    notReceivedTitle: 'Nicht angekommen',
    notReceived: 'Der Server hat Ihre Antwort nicht erhalten. Bitte erneut antworten.',
    brokenTitle: 'Die Antwort wurde unterbrochen',
    settledTitle: 'Diese Anfrage ist schon entschieden',
    busyTitle: 'Der Assistent arbeitet noch',
    refusedTitle: 'Der Server hat das nicht angenommen',
    noReason: 'Ohne Begründung.',
  },
  invocation: {
    name: ({ toolName }) => toolName,
    executing: () => 'Arbeitet …',
    results: (count) => counted(count, 'Ergebnis', 'Ergebnisse'),
    mayRetry: 'Sie können es erneut versuchen.',
    attempts: (attempt, of) => `Versuch ${attempt} von ${of}`,
    retry: 'Nochmals versuchen',
    input: 'Argumente',
    output: 'Ausgabe',
    noOutput: 'Keine Ausgabe',
    readingOutput: 'Wird geladen …',
  },
};
