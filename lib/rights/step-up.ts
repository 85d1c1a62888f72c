import { CountersignError, type Principal, type Question } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { detailsOf } from '../settings/tools/tool-details.ts';
import type { StepUp } from '../settings/tools/tool-settings.ts';

/**
 * What a person must prove before answering, and whether they still have to; `undefined` without `stepUp`.
 *
 * @source ADR 0015
 */
export function stepUpFor(
  settings: FlowSettings,
  principal: Principal,
  toolName: string,
): (StepUp & { readonly needed: boolean }) | undefined {
  const { stepUp } = detailsOf(settings, toolName);
  if (!stepUp) return undefined;
  const { maxAgeMs, methods } = stepUp;
  const needed = !isProved(stepUp, principal, (settings.clock ?? Date).now());
  return { maxAgeMs, methods, needed };
}

/** @throws CountersignError `step-up-required` unless this principal has authenticated as the question requires */
export function requireStepUp(settings: FlowSettings, principal: Principal, question: Question): void {
  const { id: approvalId, toolName } = question;
  const stepUp = stepUpFor(settings, principal, toolName);
  if (!stepUp?.needed) return;
  const { maxAgeMs, methods } = stepUp;
  throw new CountersignError(
    'step-up-required',
    `Question ${approvalId} needs a recent sign-in. Sign in again, then answer it.`,
    { approvalId, maxAgeMs, methods },
  );
}

/** Uses this server's clock. A sign-in in the future proves nothing, nor does an invalid time. */
function isProved({ maxAgeMs, methods }: StepUp, principal: Principal, now: number): boolean {
  const { authenticatedAt, authenticationMethods } = principal;
  if (typeof authenticatedAt !== 'number') return false;
  const isRecent = authenticatedAt <= now && now - authenticatedAt <= maxAgeMs;
  if (!isRecent || !methods) return isRecent;
  return (
    Array.isArray(authenticationMethods) && methods.some((method) => authenticationMethods.includes(method))
  );
}
