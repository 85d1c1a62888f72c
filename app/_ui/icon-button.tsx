import type { ComponentProps } from 'react';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';
import styles from './icon-button.module.css';
import { joinClasses } from './join-classes.ts';

/** A button that shows a drawing only; `label` is its name, also as a tooltip. At least 44 × 44 pixels. */
export function IconButton({
  icon,
  label,
  className,
  ...rest
}: { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      className={joinClasses(styles.button, className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
