import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { joinClasses } from './join-classes.ts';

/** What pressing means: `pen` signs, `danger` destroys, `plain` and `quiet` do neither. */
export type ButtonKind = 'pen' | 'plain' | 'danger' | 'quiet';

/** A button with a word on it, at least 44 pixels high. */
export function Button({
  kind = 'plain',
  className,
  ...rest
}: { kind?: ButtonKind } & ComponentProps<'button'>) {
  return (
    <button type="button" className={joinClasses(styles.button, className)} data-kind={kind} {...rest} />
  );
}
