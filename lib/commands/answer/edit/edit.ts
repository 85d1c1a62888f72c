import type { Approves, DecidedRequest, Prepared, Preparing, Without } from '../given-answer.ts';
import { ruledWith } from '../ruled-with.ts';
import { editedInput } from './edited-input.ts';

export type Edit = Approves &
  Without<'value'> & {
    readonly type: 'edit';
    readonly input: unknown;
  };

export function parseEdit(request: DecidedRequest): Edit | undefined {
  const { input } = request;
  if (input === undefined) return undefined;
  const edit = { type: 'edit', approved: true, value: undefined } as const;
  return { ...request, ...edit, input, prepare: (asked) => prepare(asked, input) };
}

async function prepare(asked: Preparing, given: unknown): Promise<Prepared> {
  const { engine, call, question, principal } = asked;
  const written = await editedInput(engine, call, { approvalId: question.id, input: given });
  const { input, parsed } = written;
  const { runsAs } = parsed;
  const recorded = { input, runsAs };
  return { ruled: ruledWith(asked, written, principal), written, parsed, recorded };
}
