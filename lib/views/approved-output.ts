import type { Call } from '../log/turn/turn.ts';
import type { EventOf, ModelOutput } from '../protocol/index.ts';

type Answer = Pick<EventOf<'approval-answered'>, 'approved' | 'reason' | 'input'>;

/** The parts of a call that say how it was approved. */
export type ApprovedCall = {
  readonly answered?: Answer | undefined;
  readonly votes?: readonly Pick<Answer, 'approved' | 'reason'>[];
  readonly requested?: Pick<Call['requested'], 'input' | 'editedBy'>;
};

/**
 * The note of the people who approved a call: their reasons, edited arguments, or both. Edited arguments include
 * their secrets, because only the model reads this.
 *
 * @returns `undefined` if there is nothing to add
 * @source ADR 0002.3, ADR 0002.11, ADR 0011.1, ADR 0047
 */
export function approvalNote({ answered, votes = [], requested }: ApprovedCall): string | undefined {
  if (!answered?.approved) return undefined;
  const reasons = [...votes, answered].flatMap(({ approved, reason }) => (approved ? (reason ?? []) : []));
  // The arguments of a question that several people answer are edited by asking again.
  const input = answered.input ?? (requested?.editedBy && requested.input);
  if (reasons.length === 0 && input === undefined) return undefined;
  const approved =
    reasons.length === 0 ? 'This call was approved.' : `This call was approved: ${reasons.join('\n')}`;
  return input === undefined
    ? approved
    : `${approved}\nThe arguments were edited to: ${JSON.stringify(input)}`;
}

/**
 * A result preceded by the person's note. A failure stays a failure, because vendors mark it, and its text
 * still comes first, because it may begin with `outcome-unknown:`.
 */
export function withApproval(call: ApprovedCall, output: ModelOutput): ModelOutput {
  const note = approvalNote(call);
  if (note === undefined) return output;
  const options = 'providerOptions' in output ? { providerOptions: output.providerOptions } : {};
  switch (output.type) {
    case 'text':
    case 'json': {
      const text = output.type === 'text' ? output.value : JSON.stringify(output.value);
      return contentOf(note, text === '' ? [] : [{ type: 'text', text, ...options }]);
    }
    case 'content':
      return contentOf(note, output.value);
    case 'error-text':
    case 'error-json': {
      const error = output.type === 'error-text' ? output.value : JSON.stringify(output.value);
      return { type: 'error-text', value: `${error}\n\n${note}`, ...options };
    }
    case 'execution-denied':
      return output;
    default:
      return output satisfies never;
  }
}

type Content = Extract<ModelOutput, { type: 'content' }>;

function contentOf(note: string, result: Content['value']): Content {
  return { type: 'content', value: [{ type: 'text', text: note }, ...result] };
}
