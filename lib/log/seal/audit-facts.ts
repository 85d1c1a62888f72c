import { type ChatId, type FlowEvent, type JsonValue, redact } from '../../protocol/index.ts';
import type { FactForm } from '../events/event-row.ts';
import { kernelEvents } from '../events/event-table.ts';
import { redactParsed } from '../redaction.ts';
import type { Call } from '../turn/turn.ts';
import type { AuditFacts } from './audit-entry.ts';

type Digest = FactForm['digest'];

/**
 * The audit facts of an event; `undefined` for text, and without a call. Unknown types have a digest.
 *
 * @param digest of what is not shown
 */
export function auditFactsOf(
  chatId: ChatId,
  event: FlowEvent,
  call: Call | undefined,
  digest: Digest,
): AuditFacts | undefined {
  const { seq, type } = event;
  const place = { chatId, seq, at: new Date(event.at).toISOString() };
  const row = kernelEvents.get(type);
  if (!row) {
    const { seal: _seal, ...written } = event;
    const about = 'toolCallId' in event ? { toolCallId: event.toolCallId } : {};
    return { ...place, type: 'unknown-event', event: type, ...about, digest: digest(written) };
  }
  if (!call) return undefined;
  const { gate, toolCallId, toolName, executor, invalid } = call.requested;
  if (gate.type === 'none' && invalid) return undefined;
  const facts = row.facts(event, call, formOf(call, digest));
  const elsewhere = executor === 'server' ? undefined : executor;
  return facts && { ...place, toolCallId, toolName, executor: elsewhere, ...facts };
}

function formOf({ requested: { secrets } }: Call, digest: Digest): FactForm {
  return {
    digest,
    shown: (whole, runsAs) => ({
      input: redact(whole, secrets?.input),
      inputDigest: secrets?.input ? digest(whole) : undefined,
      runsAs: runsAs === undefined ? undefined : (redactParsed(runsAs, whole, secrets?.input) as JsonValue),
      runsAsDigest: runsAs !== undefined && secrets?.input ? digest(runsAs) : undefined,
    }),
  };
}
