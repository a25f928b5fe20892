import type { HTMLInputAutoCompleteAttribute } from 'react';
import { Input } from 'react-aria-components/Input';
import { TextField as Base, type TextFieldProps as BaseProps } from 'react-aria-components/TextField';
import { join } from './classes.ts';
import classes from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';

export interface TextFieldProps extends Omit<BaseProps, 'className' | 'style' | 'children'>, FieldTexts {
  placeholder?: string;
  isMono?: boolean | undefined;
  autoComplete?: HTMLInputAutoCompleteAttribute;
}

/** One line of text. Give it the `name` of the request's field, so that {@link Form} can show the service's problem with it. */
export function TextField({ label, help, isOptional, placeholder = '', isMono, ...rest }: TextFieldProps) {
  return (
    <Base {...rest} className={classes.field}>
      <FieldLabel label={label} isOptional={isOptional} />
      <Input className={join(classes.control, isMono && classes.mono)} placeholder={placeholder} />
      <FieldNotes help={help} />
    </Base>
  );
}
