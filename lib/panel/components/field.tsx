import { type ReactNode, use, useEffect, useState } from 'react';
import { FieldError, FieldErrorContext } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import classes from './field.module.css';
import { Icon } from './icon.tsx';

/** The texts around the control of every field. */
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
  const { messages, isGone } = useMessages();
  return (
    <>
      {help && (
        <Text slot="description" className={classes.help}>
          {help}
        </Text>
      )}
      {isGone ? (
        <div className={join(classes.error, classes.gone)} aria-hidden="true">
          <Messages of={messages} />
        </div>
      ) : (
        <FieldError className={classes.error}>
          {({ validationErrors }) => <Messages of={validationErrors} />}
        </FieldError>
      )}
    </>
  );
}

function Messages({ of }: { of: readonly string[] }) {
  return (
    <>
      <Icon name="alert" size={14} />
      <span className={classes.messages}>
        {of.map((message) => (
          <span key={message}>{message}</span>
        ))}
      </span>
    </>
  );
}

/**
 * What is wrong with the field, or was. An error ends as the field loses the focus, which a press of the button below causes. Its room
 * stays until the press has ended: otherwise the button would move away under the pointer, and nothing would be sent.
 */
function useMessages(): { messages: readonly string[]; isGone: boolean } {
  const validation = use(FieldErrorContext);
  const shown = validation?.isInvalid ? validation.validationErrors : [];
  const [messages, setMessages] = useState(shown);
  const isGone = shown.length === 0 && messages.length > 0;
  if (shown.length > 0 && shown.join('\n') !== messages.join('\n')) setMessages(shown);
  useEffect(() => {
    if (!isGone) return;
    const end = () => setTimeout(() => setMessages([]));
    for (const event of ends) window.addEventListener(event, end);
    return () => {
      for (const event of ends) window.removeEventListener(event, end);
    };
  }, [isGone]);
  return { messages, isGone };
}

const ends = ['pointerup', 'pointercancel', 'keyup'] as const;
