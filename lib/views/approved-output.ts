import type { Call } from '../log/turn/turn.ts';
import type { EventOf, ModelOutput } from '../protocol/index.ts';

type Answer = Pick<EventOf<'approval-answered'>, 'approved' | 'reason' | 'input'>;

/**
 * The note of the person who approved a call: a reason, edited arguments, or both. Edited arguments include
 * their secrets, because only the model reads this.
 *
 * @returns `undefined` if there is nothing to add
 * @source ADR 0002.3, ADR 0002.11, ADR 0011.1
 */
export function approvalNote({ answered }: { readonly answered?: Answer | undefined }): string | undefined {
  if (!answered?.approved) return undefined;
  const { reason, input } = answered;
  if (reason === undefined && input === undefined) return undefined;
  const approved = reason === undefined ? 'This call was approved.' : `This call was approved: ${reason}`;
  return input === undefined
    ? approved
    : `${approved}\nThe arguments were edited to: ${JSON.stringify(input)}`;
}

/**
 * A result preceded by the person's note. A failure stays a failure, because vendors mark it, and its text
 * still comes first, because it may begin with `outcome-unknown:`.
 */
export function withApproval(call: Pick<Call, 'answered'>, output: ModelOutput): ModelOutput {
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
