'use client';

import { CardPlugins } from '../plugins/plugin-parts.tsx';
import { CardActions } from './answer/action-parts.tsx';
import { CardReason } from './answer/reason-part.tsx';
import { CardFrame, type CardFrameProps } from './card-frame.tsx';
import { CardArguments } from './evidence/argument-parts.tsx';
import { CardChanges } from './evidence/change-part.tsx';
import { CardEarlier } from './evidence/earlier-part.tsx';
import { CardEffect } from './evidence/effect-part.tsx';
import { CardHistory } from './evidence/history-part.tsx';
import { CardRepeat } from './evidence/repeat-part.tsx';
import { CardAsker, CardDeadline, CardDescription, CardHeading, CardWaiting } from './heading-parts.tsx';
import { CardSettled } from './settled/settled-part.tsx';

/** Props of `ApprovalCard`. Other attributes are passed to its element. */
export type ApprovalCardProps<Input = unknown> = Omit<CardFrameProps<Input>, 'children'>;

/**
 * A question with its description, arguments, asker, risk and the two answers. Shows everything that an approval
 * covers. For another layout, `CardFrame` takes the parts in your order.
 *
 * @template Input the tool's arguments, when you know them; the server checks edited ones
 * @source H9, H10, H13
 */
export function ApprovalCard<Input = unknown>(props: ApprovalCardProps<Input>) {
  return (
    <CardFrame {...props}>
      <header data-countersign="card-header">
        <CardHeading />
        <CardDescription />
        <CardAsker />
        <CardWaiting />
        <CardDeadline />
        <CardPlugins at="heading" />
        <CardHistory />
        <CardRepeat />
        <CardEarlier />
      </header>
      <CardArguments />
      <CardChanges />
      <CardEffect />
      <CardReason />
      <CardPlugins at="answer" />
      <CardActions />
      <CardSettled />
    </CardFrame>
  );
}
