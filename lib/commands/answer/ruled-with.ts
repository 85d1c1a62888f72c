import { redactParsed } from '../../log/redaction.ts';
import { isSameJson, type JsonValue, type Principal } from '../../protocol/index.ts';
import { editedBy, withInput } from '../../rights/ruled-question.ts';
import type { RuledQuestion } from '../../settings/flow-settings.ts';
import type { Preparing, WrittenInput } from './given-answer.ts';

/** The question as rules see it with these arguments. @param editor absent if no person wrote them */
export function ruledWith(
  { question, call: { requested } }: Pick<Preparing, 'question' | 'call'>,
  { input, parsed }: Pick<WrittenInput, 'input'> & { readonly parsed: Pick<WrittenInput['parsed'], 'json'> },
  editor?: Principal,
): RuledQuestion {
  if (isSameJson(input, requested.input)) return question;
  const shown = redactParsed(parsed.json, input, requested.secrets?.input) as JsonValue;
  return editor ? editedBy(editor, question, shown) : withInput(question, shown);
}
