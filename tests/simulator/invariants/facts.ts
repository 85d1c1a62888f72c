import type { History } from '../history.ts';

/** A yes that a client sent. */
export type SentApproval = {
  readonly approvalId: string;
  readonly who: string;
  readonly moment: number;
  /** The arguments that came along, when the person edited them. */
  readonly input?: unknown;
};

/** Every yes that somebody sent, over whichever endpoint. */
export function approvalsSent({ exchanges }: Pick<History, 'exchanges'>): SentApproval[] {
  return exchanges.flatMap(({ who, moment, body, path }) => {
    if (typeof body !== 'object' || body === null) return [];
    const { answers, messages, approved, input } = body as Record<string, unknown>;
    const single = path?.startsWith('/api/approvals/')
      ? [{ approvalId: path.slice('/api/approvals/'.length), approved, input }]
      : [];
    const slim = Array.isArray(answers) ? (answers as { approvalId: string; approved: unknown; input?: unknown }[]) : [];
    const parts = Array.isArray(messages) ? messages.flatMap(({ parts }) => parts as { approval?: { id: string; approved: boolean } }[]) : [];
    const full = parts.flatMap(({ approval }) => (approval ? [{ approvalId: approval.id, approved: approval.approved }] : []));
    return [...single, ...slim, ...full]
      .filter((each) => each.approved === true)
      .map((each) => ({ who, moment, approvalId: each.approvalId, ...('input' in each && { input: each.input }) }));
  });
}
