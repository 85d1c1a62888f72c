import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api';
import type { TelemetryOptions } from 'ai';
import { isRunEnd, type RunEnd, type RunId } from '../../protocol/index.ts';
import type { Observer } from '../../run/observing/observer.ts';
import { beginSpan, type SpanEnd } from './span.ts';
import { continuedContext, recordedContext } from './trace-context.ts';
import { watchWork } from './watch-work.ts';

/**
 * Traces turns: one span for the turn, one for each of its runs, and in them one for each model step and each attempt
 * of a tool. A turn outlives processes, and a span cannot. So the turn's span ends with its first run, the turn keeps its
 * context, and the runs that follow are its children, on any instance.
 *
 * @source ADR 0033
 */
export function createTraces(options: TelemetryOptions): Required<Observer> {
  /** The runs that have spans, and how each has ended. */
  const ends = new Map<RunId, SpanEnd>();

  return {
    recorded(events) {
      for (const { event } of events) {
        if (isRunEnd(event) && ends.has(event.runId)) ends.set(event.runId, endOf(event));
      }
    },

    begin({ chatId, runId, isFirst, isTakenOver, kept }) {
      const place = { 'gen_ai.conversation.id': chatId, 'countersign.run.id': runId };
      // What is active when a run is taken over did not cause it.
      const active = isTakenOver ? ROOT_CONTEXT : context.active();
      const turn = isFirst ? beginSpan('countersign.turn', { attributes: place }, active) : undefined;
      const parent = turn?.inside ?? continuedContext(active, kept);
      const attributes = { ...place, 'countersign.run.taken_over': isTakenOver };
      const links = turn ? [] : linksTo(active, parent);
      const run = beginSpan('countersign.run', { attributes, links }, parent);
      ends.set(runId, { attributes: { 'countersign.run.end': 'left' } });
      return {
        keep: turn && recordedContext(turn.span),
        within: run.within,
        begin: (work) => watchWork(work, { options, place, parent: run.inside }),
        end() {
          run.end(ends.get(runId));
          ends.delete(runId);
          turn?.end();
        },
      };
    },
  };
}

/** A run that an answer started belongs to the turn. The request that brought the answer is linked. */
function linksTo(active: Context, parent: Context): Link[] {
  const request = trace.getSpanContext(active);
  return parent !== active && request && isSpanContextValid(request) ? [{ context: request }] : [];
}

function endOf(event: RunEnd): SpanEnd {
  const attributes = { 'countersign.run.end': event.type.replace('run-', '') };
  return event.type === 'run-failed'
    ? { attributes, failure: 'run-failed', message: event.error }
    : { attributes };
}
