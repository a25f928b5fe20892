import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { words } from '../words/words.ts';
import classes from './field.module.css';
import { Icon } from './icon.tsx';

/** What every field has around its control. */
export interface FieldTexts {
  label: string;
  /** Says what to put in, before a mistake is made. */
  help?: ReactNode;
  /** Written beside the label of fields that may stay empty, where most are required. */
  isOptional?: boolean | undefined;
}

/** The label above a control. */
export function FieldLabel({ label, isOptional }: Pick<FieldTexts, 'label' | 'isOptional'>) {
  return (
    <Label className={classes.label}>
      {label}
      {isOptional && <span className={classes.optional}> ({words.shared.fields.optional})</span>}
    </Label>
  );
}

/** The help and the error below a control. */
export function FieldNotes({ help }: Pick<FieldTexts, 'help'>) {
  return (
    <>
      {help && (
        <Text slot="description" className={classes.help}>
          {help}
        </Text>
      )}
      <FieldError className={classes.error}>
        {({ validationErrors }) => (
          <>
            <Icon name="alert" size={14} />
            <span className={classes.messages}>
              {validationErrors.map((message) => (
                <span key={message}>{message}</span>
              ))}
            </span>
          </>
        )}
      </FieldError>
    </>
  );
}
