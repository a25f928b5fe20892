import { useId } from 'react';
import { join } from './classes.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';
import field from './field.module.css';

interface CopyFieldProps {
  label: string;
  value: string;
  help?: string | undefined;
  copyLabel: string;
}

/** A value that the person takes elsewhere, such as a new key: a read-only text field with a copy button. */
export function CopyField({ label, value, help, copyLabel }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.row}>
        <input
          id={id}
          className={join(field.control, field.mono, classes.value)}
          type="text"
          readOnly
          value={value}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={help ? `${id}-help` : undefined}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton text={value} label={copyLabel} hasWord />
      </div>
      {help && (
        <p id={`${id}-help`} className={field.help}>
          {help}
        </p>
      )}
    </div>
  );
}
