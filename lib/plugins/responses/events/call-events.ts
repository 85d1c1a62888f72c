import type { Call } from '../../../log/turn/turn.ts';
import type { EventOf } from '../../../protocol/index.ts';
import type { Item } from '../client/schema/item-schema.ts';
import {
  approvalRequestItem,
  type CallForm,
  type CallSettings,
  formOf,
  functionCallItem,
  functionOutputItem,
  mcpCallItem,
} from './call-items.ts';
import { argumentsText, nameOf } from './call-texts.ts';
import { tellQuestion } from './notice.ts';
import type { Output, Place } from './output.ts';
import { fileSearchItem, webSearchItem } from './search-items.ts';

/**
 * The items and lifecycle events of calls. An item is announced when its call begins, or, for a call that never
 * began, together with its end, and then without lifecycle events.
 *
 * @source C1-C8, C18
 */
export function createCallEvents(output: Output, settings: CallSettings) {
  /** Items that were added and are not done. `local` keeps an item's id the same. */
  const open = new Map<Call, { readonly place: Place; readonly local: number }>();

  /** As it was before its end: what that brings would otherwise be sent a third time. */
  function announce(call: Call, seq: number) {
    const place = output.add(itemOf({ ...call, end: undefined }, seq, settings));
    const opened = { place, local: seq };
    open.set(call, opened);
    return opened;
  }

  function tellArguments(call: Call, type: 'mcp_call' | 'function_call', place: Place): void {
    const text = argumentsText(call);
    output.emit({ type: `response.${type}_arguments.delta`, ...place, delta: text });
    output.emit({ type: `response.${type}_arguments.done`, ...place, arguments: text });
  }

  function announceFunction(call: Call, seq: number): Place {
    const item = functionCallItem(call, seq, settings);
    return output.add({ ...item, status: 'in_progress' });
  }

  function endFunction(call: Call, seq: number, begun: boolean): void {
    if (!begun) output.done(announceFunction(call, seq), functionCallItem(call, seq, settings));
    const result = functionOutputItem(call, seq, settings);
    output.done(output.add({ ...result, output: '', status: 'in_progress' }), result);
  }

  /** Clients of text take only messages, searches, and calls that they execute. */
  function isLeftOut(form: CallForm): boolean {
    return settings.asksAt !== undefined && (form === 'mcp_call' || form === 'function_call');
  }

  return {
    /** Execution begins: all of this leaves before `execute` is called. @source C3 */
    started(call: Call, seq: number): void {
      const form = formOf(call, settings);
      if (isLeftOut(form)) return;
      const name = nameOf(call);
      if (form === 'function_call') {
        output.done(announceFunction(call, seq), functionCallItem(call, seq, settings));
        return;
      }
      const { place } = announce(call, seq);
      if (form === 'mcp_call') {
        output.emit({ type: 'response.mcp_call.in_progress', ...place, name });
        tellArguments(call, 'mcp_call', place);
        return;
      }
      output.emit({ type: `response.${form}.in_progress`, ...place, name });
      output.emit({ type: `response.${form}.searching`, ...place, name });
    },

    /** @param seq of the event that ended it */
    ended(call: Call, seq: number): void {
      const form = formOf(call, settings);
      if (isLeftOut(form)) return;
      if (form === 'function_call') {
        endFunction(call, seq, call.started !== undefined);
        return;
      }
      const begun = open.get(call);
      const { place, local } = begun ?? announce(call, seq);
      open.delete(call);
      const name = nameOf(call);
      const completed = call.end?.type === 'tool-completed';
      if (begun && form === 'mcp_call') {
        output.emit({ type: `response.mcp_call.${completed ? 'completed' : 'failed'}`, ...place, name });
      }
      if (begun && completed && form !== 'mcp_call') {
        output.emit({ type: `response.${form}.completed`, ...place, name });
      }
      output.done(place, itemOf(call, local, settings));
    },

    /** A person is asked. */
    asked(call: Call, event: EventOf<'approval-requested'>): void {
      const { asksAt } = settings;
      if (asksAt !== undefined) {
        tellQuestion(output, event, { ...settings, asksAt });
        return;
      }
      const item = approvalRequestItem(call, event.approvalId, settings);
      output.done(output.add(item), item);
    },

    /** The client is to execute it. */
    handedOver(call: Call, seq: number): void {
      const item = functionCallItem(call, seq, settings);
      const place = output.add({ ...item, arguments: '', status: 'in_progress' });
      tellArguments(call, 'function_call', place);
      output.done(place, item);
    },
  };
}

/** @see createCallEvents */
export type CallEvents = ReturnType<typeof createCallEvents>;

/** The item of a call in its form. */
function itemOf(call: Call, local: number, settings: CallSettings): Item {
  switch (formOf(call, settings)) {
    case 'mcp_call':
      return mcpCallItem(call, local, settings);
    case 'file_search_call':
      return fileSearchItem(call, local, settings);
    case 'web_search_call':
      return webSearchItem(call, local, settings);
    case 'function_call':
      return functionCallItem(call, local, settings);
  }
}
