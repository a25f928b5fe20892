import type { ReactNode, Ref } from 'react';
import { Button as Base, type ButtonProps as BaseProps } from 'react-aria-components/Button';
import classes from './button.module.css';
import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends Omit<BaseProps, 'className' | 'style' | 'children'> {
  variant?: 'primary' | 'secondary' | 'danger' | 'quiet' | undefined;
  size?: 'small' | 'medium' | undefined;
  icon?: IconName | undefined;
  isWide?: boolean | undefined;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/** While `isPending`, it keeps its width and focus, shows that it works, and does nothing when pressed. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  isWide,
  children,
  ...rest
}: ButtonProps) {
  return (
    <Base {...rest} className={buttonClasses({ variant, size, isWide })}>
      {({ isPending }) => (
        <>
          <span className={classes.content}>
            {icon && <Icon name={icon} />}
            <span>{children}</span>
          </span>
          {isPending && (
            <span className={classes.pending}>
              <Spinner />
            </span>
          )}
        </>
      )}
    </Base>
  );
}

/** Returns the classes of links that look like buttons. */
export const buttonClasses = ({
  variant = 'secondary',
  size = 'medium',
  isWide,
}: Pick<ButtonProps, 'variant' | 'size' | 'isWide'>): string =>
  join(classes.button, classes[variant], classes[size], isWide && classes.wide);
