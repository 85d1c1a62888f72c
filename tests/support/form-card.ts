import type { LoadInputSchema } from 'countersign/plugins/forms/react';
import { ApprovalCard, type ApprovalCardProps } from 'countersign/react';
import { createElement } from 'react';
import { cardPluginsIn, withPlugins } from './card-plugins.ts';
// Loaded here, so that opening the form takes no time.
import '../../lib/plugins/forms/react/form/form-code.tsx';

/** A card, and how its form gets a schema. */
export type FormCardProps<Input = unknown> = ApprovalCardProps<Input> & {
  readonly loadInputSchema?: LoadInputSchema | undefined;
};

/** A card on a page with all plugins. */
export function FormCard<Input = unknown>({ loadInputSchema, ...props }: FormCardProps<Input>) {
  return withPlugins(
    createElement(ApprovalCard<Input>, props),
    cardPluginsIn({}, { forms: { loadInputSchema } }),
  );
}
