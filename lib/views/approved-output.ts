import type { Call } from '../log/turn/turn.ts';
import type { EventOf, ModelOutput } from '../protocol/index.ts';

type Answer = Pick<EventOf<'approval-answered'>, 'approved' | 'reason' | 'input'>;

export type ApprovedCall = {
  readonly answered?: Answer | undefined;
  readonly recorded?: readonly Pick<Answer, 'approved' | 'reason'>[];
  readonly requested?: Pick<Call['requested'], 'input' | 'editedBy'>;
};

/**
 * The note of the people who approved a call: their reasons, edited arguments, or both. Edited arguments include
 * their secrets, because only the model reads this.
 *
 * @returns `undefined` if there is nothing to add
 * @source ADR 0002.3, ADR 0002.11, ADR 0011.1, ADR 0047
 */
export function approvalNote({ answered, recorded = [], requested }: ApprovedCall): string | undefined {
  if (!answered?.approved) return undefined;
  const reasons = [...recorded, answered].flatMap(({ approved, reason }) => (approved ? (reason ?? []) : []));
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
 * A result preceded by the person's note, in one text: models before Gemini 3 take one function response for each call, and
 * their package sends one for each text. A failure stays a failure, because vendors mark it, and its text still comes first,
 * because it may begin with `outcome-unknown:`.
 */
export function withApproval(call: ApprovedCall, output: ModelOutput): ModelOutput {
  const note = approvalNote(call);
  if (note === undefined) return output;
  const options = 'providerOptions' in output ? { providerOptions: output.providerOptions } : {};
  switch (output.type) {
    case 'text':
    case 'json':
      return { type: 'text', value: joined(note, textOf(output)), ...options };
    case 'content': {
      const [first, ...rest] = output.value;
      return first?.type === 'text'
        ? { type: 'content', value: [{ ...first, text: joined(note, first.text) }, ...rest] }
        : { type: 'content', value: [{ type: 'text', text: note }, ...output.value] };
    }
    case 'error-text':
    case 'error-json':
      return { type: 'error-text', value: joined(textOf(output), note), ...options };
    case 'execution-denied':
      return output;
    default:
      return output satisfies never;
  }
}

function textOf({
  value,
}: Extract<ModelOutput, { type: 'text' | 'json' | 'error-text' | 'error-json' }>): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
