import { TextArea as Area } from 'react-aria-components/TextArea';
import { TextField as Base, type TextFieldProps as BaseProps } from 'react-aria-components/TextField';
import { join } from './classes.ts';
import classes from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';

export interface TextAreaProps
  extends Omit<BaseProps, 'className' | 'style' | 'children' | 'type'>,
    FieldTexts {
  placeholder?: string;
  rows?: number | undefined;
}

/** Several lines of text. It grows with what is in it, if the browser can. */
export function TextArea({ label, help, isOptional, placeholder = '', rows = 3, ...rest }: TextAreaProps) {
  return (
    <Base {...rest} className={classes.field}>
      <FieldLabel label={label} isOptional={isOptional} />
      <Area className={join(classes.control, classes.area)} placeholder={placeholder} rows={rows} />
      <FieldNotes help={help} />
    </Base>
  );
}
