import { Button as Base, type ButtonProps as BaseProps } from 'react-aria-components/Button';
import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './icon-button.module.css';

interface IconButtonProps extends Omit<BaseProps, 'className' | 'style' | 'children' | 'aria-label'> {
  icon: IconName;
  label: string;
  size?: 'small' | 'medium' | undefined;
}

/** A button that is only a picture. If there is space for a word, use {@link Button}; if not, put it into a {@link Tooltip}. */
export function IconButton({ icon, label, size = 'medium', ...rest }: IconButtonProps) {
  return (
    <Base {...rest} aria-label={label} className={join(classes.button, classes[size])}>
      <Icon name={icon} />
    </Base>
  );
}
