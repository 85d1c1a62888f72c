import { idOf, type Seals } from '../../log/seal/audit-keys.ts';
import { isSameJson } from '../../protocol/index.ts';

/** An entry of a record, whatever wrote it. */
type Entry = { readonly seal: string; readonly [fact: string]: unknown };

/** What cleared a call to start, and with which arguments. */
type Clearance = {
  readonly seal: string;
  readonly input?: unknown;
  readonly inputDigest?: unknown;
  /** A digest of the whole arguments. */
  readonly approves?: unknown;
  /** The parsed arguments, if they differ. */
  readonly parsed?: Entry;
};

type CallState = {
  asked?: Entry;
  /** The id of the early approval that each plugin has recorded last; `null` if it was revoked. */
  early?: Map<unknown, unknown>;
  clearance?: Clearance;
  started?: boolean;
  ended?: boolean;
};

/** Checks that entries are consistent: a seal proves who wrote an entry, not that it is valid. @source ADR 0023 */
export function createConsistency(seals: Pick<Seals, 'digest'>) {
  const calls = new Map<unknown, CallState>();

  function differs(clearance: Clearance, started: Entry): boolean {
    return differsAsWritten(clearance, started) || differsAsRun(clearance, started);
  }

  function differsAsRun({ parsed }: Clearance, started: Entry): boolean {
    if (!parsed) return false;
    const isOneKey = idOf(parsed.seal) === idOf(started.seal);
    if (started.runsAsDigest !== undefined) return isOneKey && parsed.runsAsDigest !== started.runsAsDigest;
    return !isSameJson(parsed.runsAs ?? null, started.runsAs ?? null);
  }

  function differsAsWritten(clearance: Clearance, started: Entry): boolean {
    const { approves, input, inputDigest } = clearance;
    const isOneKey = idOf(clearance.seal) === idOf(started.seal);
    if (started.inputDigest !== undefined) {
      const approved = approves ?? inputDigest;
      return isOneKey && approved !== undefined && approved !== started.inputDigest;
    }
    if (approves !== undefined) return approves !== seals.digest(clearance.seal, started.input);
    return input !== undefined && !isSameJson(input, started.input);
  }

  function apply(call: CallState, entry: Entry): string | undefined {
    const { type, seal, input, inputDigest } = entry;
    switch (type) {
      case 'asked':
        call.asked = entry;
        return undefined;
      case 'answered': {
        if (call.started) return 'it answers a call that has started already.';
        const shown = input === undefined ? call.asked : entry;
        const approved = {
          input: shown?.input,
          inputDigest: shown?.inputDigest,
          approves: entry.approves,
          parsed: shown,
        };
        call.clearance = entry.approved === true ? { seal: shown?.seal ?? seal, ...approved } : undefined;
        if (call.clearance && entry.approves !== undefined) call.clearance = { ...call.clearance, seal };
        return undefined;
      }
      case 'plugin-event':
        if (entry.early === undefined) return undefined;
        call.early ??= new Map();
        call.early.set(entry.plugin, Object(entry.early).id ?? null);
        return undefined;
      case 'granted':
        if (entry.isEarly && (call.early?.get(entry.plugin) ?? null) !== entry.grantId)
          return 'nobody had approved the call before.';
        call.clearance = { seal, input, inputDigest, parsed: entry };
        return undefined;
      case 'requested':
        // The record does not contain the tool's arguments, so a difference is not a fault.
        call.clearance = { seal, input, inputDigest };
        return undefined;
      case 'decided':
        call.clearance = entry.approved === true ? { seal, input, inputDigest, parsed: entry } : undefined;
        return undefined;
      case 'started': {
        const { clearance } = call;
        if (call.started) return 'the call had started before.';
        if (call.ended) return 'the call had ended before it started.';
        call.started = true;
        if (!clearance) return 'nothing before it allows the call to start.';
        return differs(clearance, entry)
          ? 'the call started with arguments that nobody approved.'
          : undefined;
      }
      case 'ended': {
        const isUnstarted = entry.executor === undefined && entry.outcome === 'completed' && !call.started;
        if (call.ended) return 'the call had ended before.';
        call.ended = true;
        return isUnstarted ? 'the call completed without a start.' : undefined;
      }
      default:
        return undefined;
    }
  }

  return {
    /** What is wrong with the next entry, as a clause; `undefined` when it follows from those before. */
    fault(sealed: { readonly seal: string }): string | undefined {
      const entry: Entry = { ...sealed };
      const call = calls.get(entry.toolCallId) ?? {};
      calls.set(entry.toolCallId, call);
      return apply(call, entry);
    },
  };
}
