import type { ReactNode } from 'react';
import { Switch as Base, type SwitchProps as BaseProps } from 'react-aria-components/Switch';
import classes from './choice.module.css';

interface SwitchProps extends Omit<BaseProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  note?: ReactNode;
}

/** Something that is on or off and takes effect at once. In a form that is saved, use {@link Checkbox}. */
export function Switch({ children, note, ...rest }: SwitchProps) {
  return (
    <Base {...rest} className={classes.choice}>
      <span className={classes.track}>
        <span className={classes.knob} />
      </span>
      <span className={classes.text}>
        {children}
        {note && <span className={classes.note}>{note}</span>}
      </span>
    </Base>
  );
}
