import type { Call } from '../../log/turn/turn.ts';
import {
  type EventOf,
  errorPlace,
  isRecord,
  type JsonValue,
  type Question,
  type Risk,
  type SubjectHistory,
  strikeOut,
} from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import type { RiskRating } from '../../settings/tools/tool-settings.ts';

const levels: readonly unknown[] = ['low', 'medium', 'high'];
const longestReason = 200;

export type RatedRisk = Pick<Question, 'risk' | 'riskReason'>;

/**
 * The risk as the author rates it, without secrets. A function that fails is logged, and the risk is high.
 *
 * @source ADR 0040
 */
export function ratedRisk(
  settings: FlowSettings,
  { requested: { toolName, input: given, secrets } }: Pick<Call, 'requested'>,
  input: JsonValue,
  history: SubjectHistory | undefined,
): RatedRisk {
  const { risk } = detailsOf(settings, toolName);
  if (typeof risk !== 'function') return shown(risk);
  try {
    const rated = shown(risk(input as never, { history }));
    return rated.riskReason === undefined
      ? rated
      : { ...rated, riskReason: strikeOut(rated.riskReason, given, secrets?.input).slice(0, longestReason) };
  } catch (error) {
    settings.logger?.error('`risk` of a tool failed. Its call counts as high risk.', {
      toolName,
      error: errorPlace(error),
    });
    return { risk: 'high' };
  }
}

function shown(rating: RiskRating | undefined): RatedRisk {
  if (rating === undefined) return {};
  const { level, reason } = isRecord(rating) ? rating : { level: rating, reason: undefined };
  if (!levels.includes(level)) throw new TypeError('`risk` returned no level.');
  return {
    risk: level as Risk,
    riskReason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}

export function subjectOf(settings: FlowSettings, toolName: string, input: JsonValue): string | undefined {
  const { subject } = detailsOf(settings, toolName);
  try {
    const named = subject?.(input as never);
    return typeof named === 'string' && named.trim() !== '' ? named.slice(0, longestReason) : undefined;
  } catch (error) {
    settings.logger?.error('`subject` of a tool failed. Its call has no history.', {
      toolName,
      error: errorPlace(error),
    });
    return undefined;
  }
}

export type AskedCall = Pick<EventOf<'tool-requested'>, 'toolName' | 'executor' | 'input' | 'secrets'>;
