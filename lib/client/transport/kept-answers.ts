import type { NewAnswerJson } from '../../protocol/wire/new-answer.ts';

/** A person's complete answer about one question, with its approval id. */
export type AnswerToSend = NewAnswerJson & { readonly id: string; readonly approved: boolean };

/** The part of an answer that fits in a UI message: the argument of `addToolApprovalResponse`. */
export type ResponseToAdd = Pick<AnswerToSend, 'id' | 'approved' | 'reason'>;

/** The part of an answer that does not fit in a UI message. It must be sent with the answer on every attempt. */
export type AnswerExtras = Pick<AnswerToSend, 'option' | 'value' | 'input' | 'previewDigest' | 'plugins'>;

export type KeptAnswers = {
  keep(answer: AnswerToSend): ResponseToAdd;
  /** Returns the extra fields to send with an answer; none if the kept answer was another one. */
  extrasOf(approvalId: string, approved?: boolean): AnswerExtras;
};

/**
 * Keeps the fields of an answer that a UI message cannot contain. After a lost connection the client sends
 * the answer again from the message alone; without the kept fields it would approve the proposed arguments
 * instead of the edited ones. Answers are never removed, because a request can be repeated at any time.
 * Approval ids are never reused.
 */
export function createKeptAnswers(): KeptAnswers {
  const kept = new Map<string, { readonly approved: boolean; readonly extras: AnswerExtras }>();
  return {
    keep({ id, approved, option, reason, value, input, previewDigest, plugins }) {
      // Copied, because the form may keep changing its own object.
      if (approved || option !== undefined) {
        const extras = {
          option,
          value: value === undefined ? undefined : structuredClone(value),
          input: input === undefined ? undefined : structuredClone(input),
          previewDigest,
          plugins,
        };
        kept.set(id, { approved, extras });
      } else {
        kept.delete(id);
      }
      return { id, approved, reason };
    },
    extrasOf(approvalId, approved = true) {
      const answer = kept.get(approvalId);
      return answer?.approved === approved ? answer.extras : {};
    },
  };
}
