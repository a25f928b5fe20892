import type { ReactNode } from 'react';
import {
  RadioGroup as Base,
  type RadioGroupProps as BaseProps,
  Radio as BaseRadio,
  type RadioProps as BaseRadioProps,
} from 'react-aria-components/RadioGroup';
import classes from './choice.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';

interface RadioGroupProps extends Omit<BaseProps, 'className' | 'style' | 'children'>, FieldTexts {
  isLabelHidden?: boolean | undefined;
  children: ReactNode;
}

/** One of two to five choices, all in sight: {@link Radio}s. */
export function RadioGroup({ label, help, isOptional, isLabelHidden, children, ...rest }: RadioGroupProps) {
  return (
    <Base {...rest} {...(isLabelHidden && { 'aria-label': label })} className={field.field}>
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <div className={classes.group}>{children}</div>
      <FieldNotes help={help} />
    </Base>
  );
}

interface RadioProps extends Omit<BaseRadioProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  note?: ReactNode;
}

export function Radio({ children, note, ...rest }: RadioProps) {
  return (
    <BaseRadio {...rest} className={classes.choice}>
      {({ isSelected }) => (
        <>
          <span className={classes.circle}>{isSelected && <span className={classes.dot} />}</span>
          <span className={classes.text}>
            {children}
            {note && <span className={classes.note}>{note}</span>}
          </span>
        </>
      )}
    </BaseRadio>
  );
}
