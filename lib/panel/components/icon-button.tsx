import { Button as Base, type ButtonProps as BaseProps } from 'react-aria-components/Button';
import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<BaseProps, 'className' | 'style' | 'children' | 'aria-label'> {
  readonly icon: IconName;
  /** Its accessible name, which the tooltip shows. */
  readonly label: string;
  readonly size?: 'small' | 'medium' | undefined;
  /** Beside a trigger that opens something, the tooltip would be in the way. */
  readonly hasTooltip?: boolean | undefined;
}

/** A button that is only a picture. If there is space for a word, use {@link Button}. */
export function IconButton({ icon, label, size = 'medium', hasTooltip = true, ...rest }: IconButtonProps) {
  const button = (
    <Base {...rest} aria-label={label} className={join(classes['button'], classes[size])}>
      <Icon name={icon} />
    </Base>
  );
  return hasTooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
