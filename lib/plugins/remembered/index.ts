import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { bool } from '../../protocol/settings.ts';
import { isAsker } from '../../rights/ruled-question.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import { rememberedEndpoints } from './endpoints.ts';
import { findRemembered } from './find.ts';
import { createMethods, type RememberedMethods } from './methods.ts';
import { rememberedOpenApi } from './open-api.ts';
import { rememberApproval } from './remember.ts';

export type { Remember } from './client/fields.ts';
export type { RememberedMethods } from './methods.ts';
export type { Remembered } from './stored-approval.ts';

/**
 * Lets people have approvals remembered, so that later calls of theirs run without a question.
 *
 * @example createApprovalFlow({ store, model, tools, plugins: [remembered()] })
 * @source ADR 0015
 */
export function remembered(): FlowPlugin<'remembered', RememberedMethods> {
  return {
    name: 'remembered',
    checkDetails: bool,
    offers: (settings, principal, question) =>
      detailsOf(settings, question.toolName).remembered !== false && isAsker(settings, principal, question),
    approved: rememberApproval,
    standing: findRemembered,
    setUp({ store, cursors }) {
      const methods = createMethods(store, cursors);
      return {
        methods,
        endpoints: (route) => rememberedEndpoints(methods, route),
        openApi: rememberedOpenApi,
      };
    },
  };
}
