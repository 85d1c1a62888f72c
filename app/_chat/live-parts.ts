import type { Draft } from './draft.ts';
import { emptyDraft, nextResponse, parseDraftDelta, withDelta } from './draft.ts';
import type { LifecycleByCall } from './tool-lifecycle.ts';
import { parseToolLifecycle, withReport } from './tool-lifecycle.ts';

/** What the transient parts of a chat have told so far. `past`: calls of former turns. */
export type LiveParts = { draft: Draft; reports: LifecycleByCall; past: ReadonlySet<string> };

/** What can happen to them. `restored` carries the draft that the stored chat shows. */
export type LiveEvent =
  | { type: 'received'; part: { type: string; data?: unknown } }
  | { type: 'turn-began' }
  | { type: 'response-began' }
  | { type: 'restored'; draft: string | undefined };

/** Live parts of a chat that was just loaded. */
export function initialLiveParts(draft: string | undefined): LiveParts {
  return { draft: { ...emptyDraft, earlier: draft ?? '' }, reports: new Map(), past: new Set() };
}

/** Applies one event. A new turn starts without a draft; a new response of the same turn may repeat it. */
export function reduceLiveParts(live: LiveParts, event: LiveEvent): LiveParts {
  switch (event.type) {
    case 'turn-began':
      return { ...live, draft: emptyDraft, past: new Set(live.reports.keys()) };
    case 'response-began':
      return { ...live, draft: nextResponse(live.draft) };
    case 'restored':
      return { ...live, draft: { ...emptyDraft, earlier: event.draft ?? '' } };
    case 'received':
      return received(live, event.part);
  }
}

function received(live: LiveParts, part: { type: string; data?: unknown }): LiveParts {
  if (part.type === 'data-draft') {
    const delta = parseDraftDelta(part.data);
    return delta === undefined ? live : { ...live, draft: withDelta(live.draft, delta) };
  }
  if (part.type === 'data-tool-lifecycle') {
    const report = parseToolLifecycle(part.data);
    return report === undefined ? live : { ...live, reports: withReport(live.reports, report) };
  }
  return live;
}
