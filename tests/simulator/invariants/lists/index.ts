import { type Invariant, tally } from '../invariant.ts';
import { eventsInTurns, saidIn } from './lacking.ts';

/** Where a plugin is missing, its questions are not approved, and its standing approvals are not used (ADR 0056). */
const nothingPasses: Invariant = {
  name: 'nothing is approved where a plugin that has a say is missing',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.lists?.deployed) return result();
    for (const { event, chatId, by, lacks, questions } of eventsInTurns(history)) {
      const isApproved = event.type === 'approval-answered' && event.approved;
      if (!isApproved && event.type !== 'approval-granted') continue;
      const missing = [...(questions.get(event.approvalId) ?? []), ...saidIn(event)].find(lacks);
      verify(
        missing && `${by}, which lacks ${missing}, wrote ${event.type} of ${event.approvalId} in ${chatId}`,
      );
    }
    return result();
  },
};

/** A turn goes on where its plugins are: no other instance calls the model for it, or asks. */
const continuesWhole: Invariant = {
  name: 'a turn continues only where its plugins are',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.lists?.deployed) return result();
    for (const { event, chatId, by, lacks, ofTurn } of eventsInTurns(history)) {
      if (event.type !== 'step-started' && event.type !== 'approval-requested') continue;
      const missing = [...ofTurn].find(lacks);
      verify(missing && `${by}, which lacks ${missing}, wrote ${event.type} ${event.seq} in ${chatId}`);
    }
    return result();
  },
};

/** A missing plugin prevents approvals alone: denials, stops, messages and readers work. */
const restWorks: Invariant = {
  name: 'a missing plugin refuses nothing but approvals',
  check(history) {
    const { verify, result } = tally();
    if (!history.profile.lists?.deployed) return result();
    for (const { who, does, body, json, instance } of history.exchanges) {
      if (!JSON.stringify(json ?? null).includes('plugin-missing')) continue;
      verify(
        !JSON.stringify(body ?? null).includes('"approved":true') &&
          `${who}'s ${does} at ${instance} was refused`,
      );
    }
    return result();
  },
};

/** What holds while instances have different lists of plugins. */
export const listInvariants: readonly Invariant[] = [nothingPasses, continuesWhole, restWorks];
