import type { Turn } from './turn.ts';

/** A call that the model requests. */
export type AskedCall = { readonly toolName: string; readonly input: unknown };

/** The text and calls of one step. A step without calls ends the turn. */
export type ScriptStep = { readonly text?: string; readonly calls?: readonly AskedCall[] };

/**
 * One row of the demo's table of prompts: returns the next step of the turn, or nothing if the request belongs to
 * another scene. Pure: the same turn always has the same next step.
 *
 * @source H-Demo
 */
export type Scene = (turn: Turn) => ScriptStep | undefined;
