import { emptyView, type Frame, type WireView } from './wire.ts';

/** A frame in a column. `key` counts all frames of the column from 1. */
export type ShownFrame = Frame & { readonly key: number };

/** What a column shows. */
export type WireState = {
  /** The newest frames, oldest first. */
  readonly frames: readonly ShownFrame[];
  /** All frames, also those that are no longer shown. */
  readonly frameCount: number;
  readonly view: WireView;
  /** Requests whose turn has not ended. */
  readonly openRequests: number;
  /** The question that was answered here. */
  readonly answered?: string;
  /** Why the last request failed. */
  readonly failure?: string;
};

/** What can happen to a column. */
export type WireAction =
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'view'; readonly view: WireView }
  | { readonly type: 'sent'; readonly answered?: string }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly failure: string };

/** `waiting`: for an answer. */
export type WirePhase = 'idle' | 'running' | 'waiting' | 'failed' | 'done';

/** How many frames a column keeps. */
export const mostFrames = 60;

/** A column before its first message. */
export const emptyWireState: WireState = { frames: [], frameCount: 0, view: emptyView, openRequests: 0 };

/** The column after one more action. Pure. */
export function reduceWire(state: WireState, action: WireAction): WireState {
  switch (action.type) {
    case 'frame': {
      const frameCount = state.frameCount + 1;
      const frames = [...state.frames, { ...action.frame, key: frameCount }].slice(-mostFrames);
      return { ...state, frames, frameCount };
    }
    case 'view':
      return { ...state, view: action.view };
    case 'sent': {
      const { answered } = action;
      return { ...state, openRequests: state.openRequests + 1, failure: undefined, answered };
    }
    case 'ended':
      return { ...state, openRequests: state.openRequests - 1 };
    case 'failed': {
      const { failure } = action;
      // The question can be answered again.
      return { ...state, openRequests: state.openRequests - 1, failure, answered: undefined };
    }
    default:
      return action satisfies never;
  }
}

/** The question that can be answered now. */
export function questionOf({ view, answered }: WireState): WireView['question'] {
  return view.question?.approvalId === answered ? undefined : view.question;
}

/** What a column is doing. */
export function phaseOf(state: WireState): WirePhase {
  if (questionOf(state)) return 'waiting';
  if (state.openRequests > 0) return 'running';
  if (state.failure !== undefined || state.view.failure !== undefined) return 'failed';
  return state.frameCount === 0 ? 'idle' : 'done';
}
