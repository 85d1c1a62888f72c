import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api';
import type { ChatId, EventBody, RunEnd, RunId, TraceContext } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { createSpans, kindOfError, type SpanEnd, type Spans } from './spans.ts';
import { createToolSpan, type ToolSpan, type TracedCall } from './tool-span.ts';
import { continuedContext, recordedContext } from './trace-context.ts';

/** An event that ends a run, perhaps before it has a place in the log. */
type RunEndBody = Extract<EventBody, { type: RunEnd['type'] }>;

/** The spans of one run. @source ADR 0033 */
export type RunSpans = Bound & {
  /** One attempt of a model step. */
  step(number: number): StepSpan;
  /** One attempt of a tool. */
  tool(call: TracedCall): ToolSpan;
  /** The end of the run has become durable. */
  ended(event: RunEndBody): void;
  /** The run is no longer executed here. */
  end(): void;
};

/** Something that has a span. `bind` returns a function that runs in it, so that what the function begins belongs to it. */
type Bound = { bind<Work extends (...args: never[]) => unknown>(work: Work): Work };

/** The span of one attempt of a model step. */
export type StepSpan = Bound & {
  end(end: SpanEnd): void;
  /** The step threw. @throws the same error */
  failed(error: unknown): never;
};

type Place = { readonly chatId: ChatId; readonly runId: RunId };

/** The place of a run in its turn. */
type RunOrigin = {
  /** The events that begin the run. */
  readonly events: readonly EventBody[];
  /** What the open turn has recorded. */
  readonly trace?: TraceContext;
};

/**
 * Traces turns: one span for the turn, one for each of its runs, and in them one for each model step and each attempt
 * of a tool. A turn outlives processes, and a span cannot. So the turn's span ends with its first run, the first event of
 * the turn records its context, and the runs that follow are its children, on any instance.
 *
 * @source ADR 0033
 */
export function createTracing(settings: FlowSettings) {
  const spans = createSpans(settings);

  return {
    /**
     * Begins the span of a run and, if the run starts a turn, that of the turn.
     *
     * @returns the spans, and the events that begin the run: the first one of a turn records its trace
     */
    begin(place: Place, { events, trace: recorded }: RunOrigin) {
      const active = context.active();
      const starter = events.find((event) => event.type === 'run-started' && event.asker !== undefined);
      if (!starter) return { spans: runSpans(spans, place, runStart(active, recorded)), events };
      const turn = spans.begin('countersign.turn', { attributes: attributesOf(place) }, active);
      const traceOfTurn = recordedContext(turn);
      const parent = spans.isEnabled ? trace.setSpan(active, turn) : active;
      const onEnd = () => spans.end(turn);
      return {
        spans: runSpans(spans, place, { parent, onEnd }),
        events: events.map((event) =>
          event === starter && traceOfTurn ? { ...starter, trace: traceOfTurn } : event,
        ),
      };
    },

    /** Begins the span of a run that was taken over. The currently active span did not cause it. */
    takeOver: (place: Place, recorded: TraceContext | undefined): RunSpans =>
      runSpans(spans, place, {
        parent: continuedContext(ROOT_CONTEXT, recorded),
        isTakenOver: true,
      }),
  };
}

/** @see createTracing */
export type Tracing = ReturnType<typeof createTracing>;

type RunPlace = {
  readonly parent: Context;
  readonly links?: Link[];
  readonly isTakenOver?: boolean;
  readonly onEnd?: () => void;
};

/** A run that an answer started belongs to the turn. The request that brought the answer is linked. */
function runStart(active: Context, recorded: TraceContext | undefined): RunPlace {
  const parent = continuedContext(active, recorded);
  const request = trace.getSpanContext(active);
  const isCause = parent !== active && request !== undefined && isSpanContextValid(request);
  return { parent, links: isCause ? [{ context: request }] : undefined };
}

function runSpans(
  spans: Spans,
  place: Place,
  { parent, links, isTakenOver = false, onEnd }: RunPlace,
): RunSpans {
  const attributes = { ...attributesOf(place), 'countersign.run.taken_over': isTakenOver };
  const span = spans.begin('countersign.run', { attributes, links }, parent);
  const inside = trace.setSpan(parent, span);
  let end: SpanEnd = { attributes: { 'countersign.run.end': 'left' } };

  return {
    bind: (work) => spans.bind(span, parent, work),

    step(number) {
      const at = { ...attributesOf(place), 'countersign.step.number': number };
      const step = spans.begin('countersign.step', { attributes: at }, inside);
      return {
        bind: (work) => spans.bind(step, inside, work),
        end: (how) => spans.end(step, how),
        failed(error) {
          spans.end(step, { failure: kindOfError(error) });
          throw error;
        },
      };
    },

    tool: (call) => createToolSpan({ spans, parent: inside, attributes: attributesOf(place) }, call),

    ended(event) {
      const how = event.type.replace('run-', '');
      const failure = event.type === 'run-failed' ? { failure: 'run-failed', message: event.error } : {};
      end = { attributes: { 'countersign.run.end': how }, ...failure };
    },

    end() {
      spans.end(span, end);
      onEnd?.();
    },
  };
}

function attributesOf({ chatId, runId }: Place) {
  return { 'gen_ai.conversation.id': chatId, 'countersign.run.id': runId };
}
