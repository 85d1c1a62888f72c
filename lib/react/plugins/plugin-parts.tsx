'use client';

import { Fragment } from 'react';
import type { Question } from '../../client/question.ts';
import { useApprovalCard } from '../card/card-context.ts';
import type { PartPlace } from './card-plugin.ts';
import { useCardPlugins } from './card-plugins.tsx';
import { CardLines } from './plugin-lines.tsx';

/** What plugins add to a card at one place. For your own layout of `CardFrame`. */
export function CardPlugins({ at }: { at: 'heading' | 'answer' }) {
  const { question } = useApprovalCard();
  const plugins = useCardPlugins();
  return (
    <>
      <PluginParts at={at} question={question} />
      {plugins.map(
        ({ name, lines, linesAt = 'answer' }) =>
          lines && linesAt === at && <CardLines key={name} {...{ name, lines, question }} />,
      )}
    </>
  );
}

/** The parts of plugins at one place, without their lines. */
export function PluginParts({ at, question }: { at: PartPlace; question: Question }) {
  return useCardPlugins().map(({ name, parts }) => <Fragment key={name}>{parts?.[at]?.(question)}</Fragment>);
}
