import type { ApprovalEventBody, PreviewEventBody } from '../../protocol/events/approval-events.ts';
import {
  type ApprovalId,
  type EventOf,
  type QuestionOption,
  type RecordedPreview,
  redact,
} from '../../protocol/index.ts';
import { redactAnswered, redactAsked } from '../redact-question.ts';
import type { CallFacts } from '../seal/audit-entry.ts';
import { shownOptions } from '../shown-options.ts';
import { type Call, previewOf } from '../turn/turn.ts';
import { asWritten, type EventRows, type FactForm, none, ofCall } from './event-row.ts';

/** Whatever settles a question makes the same claim, so the first answer wins. @source H10, ADR 0019 */
const settled = ({ approvalId }: { readonly approvalId: ApprovalId }) => `settled:${approvalId}`;

/** What happens to a question, or replaces it. */
export const approvalRows: EventRows<ApprovalEventBody | PreviewEventBody> = {
  'approval-requested': {
    claim: none,
    redact(event, { hidden }) {
      const { repeatOf } = event;
      // The earlier call may be in a chat that this reader may not see.
      const shown = repeatOf ? { ...event, repeatOf: { at: repeatOf.at, outcome: repeatOf.outcome } } : event;
      const known = hidden.get(event.toolCallId);
      return known ? redactAsked(shown, known) : shown;
    },
    fold: ofCall((call, event) => {
      call.asked = event;
    }),
    facts: askedFacts,
    head: ({ approvalId }) => ({ open: approvalId }),
    changesQuestion: true,
    isGuarded: true,
  },
  'approval-answered': {
    claim: settled,
    // The role and the session of the person who answered are for the audit record only.
    redact({ approver: _approver, ...event }, { hidden }) {
      return redactAnswered(event, { secrets: hidden.get(event.toolCallId)?.secrets });
    },
    fold: ofCall((call, event) => {
      call.answered = event;
    }),
    facts: answeredFacts,
    head: () => ({ open: null }),
    changesQuestion: true,
  },
  'approval-granted': {
    claim: settled,
    redact: asWritten,
    fold: ofCall((call, event) => {
      call.granted = event;
    }),
    facts({ approvalId, grantId, by, plugin, isEarly, reason }, { requested }, { shown }) {
      return {
        type: 'granted',
        approvalId,
        grantId,
        by,
        plugin,
        isEarly,
        reason,
        ...shown(requested.input, requested.runsAs),
      };
    },
    changesQuestion: true,
  },
  'approval-withdrawn': {
    claim: settled,
    redact: asWritten,
    fold: ofCall((call, event) => {
      call.withdrawn = event;
    }),
    facts: ({ approvalId, reason }) => ({ type: 'withdrawn', approvalId, reason }),
    head: () => ({ open: null }),
    changesQuestion: true,
  },
  'approval-previewed': {
    claim: none,
    redact: asWritten,
    fold: ofCall((call, { preview = previewOf(call)?.preview, at }) => {
      if (preview) call.previewed = { preview, at };
    }),
    // An unchanged effect adds nothing to the record.
    facts: ({ approvalId, preview }) =>
      preview && { type: 'previewed', approvalId, effect: effectDigest(preview) },
    // Not an activity of the chat: its place in lists and its retention period do not change.
    head: (_event, { updatedAt }) => ({ updatedAt }),
    changesQuestion: true,
    isForReaders: true,
  },
};

function askedFacts(event: EventOf<'approval-requested'>, { requested }: Call, form: FactForm): CallFacts {
  const { approvalId, askedBy, description, risk, riskReason, digest, runsAs, replaces } = event;
  const { deadline, atDeadline, preview, droppedAnswers, options } = event;
  return {
    type: 'asked',
    approvalId,
    askedBy,
    description,
    deadline: deadline === undefined ? undefined : new Date(deadline).toISOString(),
    atDeadline,
    risk,
    riskReason,
    digest,
    replaces,
    effect: preview && effectDigest(preview),
    plugins: event.plugins,
    options: options && optionFacts(options, requested, form),
    droppedAnswers,
    editedBy: requested.editedBy,
    ...form.shown(requested.input, runsAs),
  };
}

function answeredFacts(
  event: EventOf<'approval-answered'>,
  { requested }: Call,
  { digest, shown }: FactForm,
): CallFacts {
  const { approvalId, approved, reason, by, onBehalfOf, via, approver, rule, option, plugins } = event;
  return {
    type: 'answered',
    approvalId,
    approved,
    reason,
    ...(event.input !== undefined && shown(event.input, event.runsAs)),
    by: { ...by, ...approver },
    onBehalfOf,
    via,
    plugins,
    rule,
    approves: approved ? digest(event.input ?? requested.input) : undefined,
    effect: event.previewDigest,
    option,
    value: event.value === undefined ? undefined : redact(event.value, requested.secrets?.output),
  };
}

function optionFacts(
  options: readonly QuestionOption[],
  requested: Call['requested'],
  { digest }: FactForm,
): Extract<CallFacts, { type: 'asked' }>['options'] {
  const isHidden = requested.secrets?.input !== undefined;
  return shownOptions(options, requested).map((option, index) => {
    const { input, runsAs } = options[index] ?? {};
    return {
      ...option,
      ...(isHidden && input !== undefined && { inputDigest: digest(input) }),
      ...(isHidden && runsAs !== undefined && { runsAsDigest: digest(runsAs) }),
    };
  });
}

function effectDigest(preview: RecordedPreview): string {
  return preview.state === 'made' ? preview.digest : preview.state;
}
