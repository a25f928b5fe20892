import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './date-field.module.css';

interface WholeValueProps {
  isSet: boolean;
  children: (key: number) => ReactNode;
}

/**
 * Adds to React Aria's fields with segments what they lack: Enter sends the form, and a value of which somebody has emptied a part
 * is shown whole again when they leave, because it still counts.
 */
export function WholeValue({ isSet, children }: WholeValueProps) {
  const [key, setKey] = useState(0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it looks at the keys of the field in it
    <div
      className={classes.whole}
      onKeyDownCapture={({ key: pressed, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
        if (pressed === 'Enter' && (target as Element).role === 'spinbutton')
          currentTarget.closest('form')?.requestSubmit();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isSet && !currentTarget.contains(relatedTarget) && isPartlyEmpty(currentTarget)) setKey(key + 1);
      }}
    >
      {children(key)}
    </div>
  );
}

function isPartlyEmpty(field: HTMLElement): boolean {
  const parts = [...field.querySelectorAll('[role=spinbutton]')];
  const empty = parts.filter((part) => part.hasAttribute('data-placeholder'));
  return empty.length > 0 && empty.length < parts.length;
}
