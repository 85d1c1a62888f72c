import type { History } from '../history.ts';

/** An approval that a client sent. */
export type SentApproval = {
  readonly approvalId: string;
  readonly who: string;
  readonly moment: number;
  /** The edited arguments, if any. */
  readonly input?: unknown;
  /** How the approval was to be remembered. */
  readonly plugins?: unknown;
};

/** Every approval that was sent, over all endpoints. */
export function approvalsSent({ exchanges }: Pick<History, 'exchanges'>): SentApproval[] {
  return exchanges.flatMap(({ who, moment, body, path }) => {
    if (typeof body !== 'object' || body === null) return [];
    const { answers, messages, approved, input, plugins } = body as Record<string, unknown>;
    const single = path.startsWith('/api/approvals/')
      ? [{ approvalId: path.slice('/api/approvals/'.length), approved, input, plugins }]
      : [];
    const slim = Array.isArray(answers) ? (answers as Given[]) : [];
    const parts = Array.isArray(messages) ? messages.flatMap((message) => message.parts as Part[]) : [];
    const full = parts.flatMap(({ approval }): Given[] =>
      approval ? [{ approvalId: approval.id, approved: approval.approved }] : [],
    );
    return [...single, ...slim, ...full]
      .filter((each) => each.approved === true)
      .map(({ approvalId, input, plugins }) => ({ who, moment, approvalId, input, plugins }));
  });
}

type Part = { readonly approval?: { readonly id: string; readonly approved: boolean } };
type Given = { approvalId: string; approved: unknown; input?: unknown; plugins?: unknown };
