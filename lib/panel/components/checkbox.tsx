import type { ReactNode } from 'react';
import { Checkbox as Base, type CheckboxProps as BaseProps } from 'react-aria-components/Checkbox';
import {
  CheckboxGroup as BaseGroup,
  type CheckboxGroupProps as BaseGroupProps,
} from 'react-aria-components/CheckboxGroup';
import classes from './choice.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';

interface CheckboxProps extends Omit<BaseProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  note?: ReactNode;
}

export function Checkbox({ children, note, ...rest }: CheckboxProps) {
  return (
    <Base {...rest} className={classes.choice}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={classes.box}>
            {isIndeterminate ? (
              <span className={classes.dash} />
            ) : (
              isSelected && <Icon name="check" size={14} />
            )}
          </span>
          <span className={classes.text}>
            {children}
            {note && <span className={classes.note}>{note}</span>}
          </span>
        </>
      )}
    </Base>
  );
}

interface CheckboxGroupProps extends Omit<BaseGroupProps, 'className' | 'style' | 'children'>, FieldTexts {
  children: ReactNode;
}

/** Several {@link Checkbox}es, each with a `value`. */
export function CheckboxGroup({ label, help, isOptional, children, ...rest }: CheckboxGroupProps) {
  return (
    <BaseGroup {...rest} className={field.field}>
      <FieldLabel label={label} isOptional={isOptional} />
      <div className={classes.group}>{children}</div>
      <FieldNotes help={help} />
    </BaseGroup>
  );
}
