import type { Turn } from './turn.ts';

/** A call that the model asks for. */
export type AskedCall = { readonly toolName: string; readonly input: unknown };

/** What the model says and asks for in one step. A step without calls ends the turn. */
export type ScriptStep = { readonly text?: string; readonly calls?: readonly AskedCall[] };

/**
 * One row of the demo's prompt table: the next step of the turn, or nothing when the request is not its own.
 * Pure: the same turn always has the same next step.
 *
 * @source contract H, "Demo prompts"
 */
export type Scene = (turn: Turn) => ScriptStep | undefined;
