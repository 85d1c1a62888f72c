import { isRecord } from '../../protocol/json.ts';

/** What a person has typed about a question, and not sent. */
export type Unsent = {
  readonly reason?: string;
  /** The edited arguments, where they differ from the proposed ones. */
  readonly input?: unknown;
};

const prefix = 'countersign-unsent:';

/** What the server shows instead of a secret. The form's own check would load the form with each card. */
const hidden = '[redacted]';

/** What was typed about a question in this tab; `undefined` if nothing was. */
export function readUnsent(approvalId: string): Unsent | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(prefix + approvalId) ?? 'null');
    if (!isRecord(value)) return undefined;
    const { reason, input } = value;
    return { reason: typeof reason === 'string' ? reason : undefined, input };
  } catch {
    // The browser stores nothing.
    return undefined;
  }
}

/**
 * Keeps it in this tab until it is sent, with what was kept before; without anything, forgets it. Secrets that were typed are not
 * kept.
 */
export function keepUnsent(approvalId: string, proposed: unknown, typed: Unsent): void {
  try {
    const { reason: given = '', input } = { ...readUnsent(approvalId), ...typed };
    // As it would be sent.
    const reason = given.trim();
    if (reason === '' && input === undefined) {
      sessionStorage.removeItem(prefix + approvalId);
      return;
    }
    const edited = input !== undefined && { input: withoutSecrets(proposed, input) };
    sessionStorage.setItem(prefix + approvalId, JSON.stringify({ reason: reason || undefined, ...edited }));
  } catch {
    // It is on the page only.
  }
}

/** Forgets what was typed about a question, or about all of them: it is not the next person's. */
export function forgetUnsent(approvalId?: string): void {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
    for (const name of approvalId === undefined ? names : [prefix + approvalId])
      sessionStorage.removeItem(name);
  } catch {
    // Nothing is stored.
  }
}

function withoutSecrets(proposed: unknown, input: unknown): unknown {
  if (proposed === hidden) return proposed;
  if (Array.isArray(input)) {
    const before = Array.isArray(proposed) ? proposed : [];
    return input.map((item, index) => withoutSecrets(before[index], item));
  }
  if (!isRecord(input) || !isRecord(proposed)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, withoutSecrets(proposed[name], value)]),
  );
}
