import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Form as Base } from 'react-aria-components/Form';
import { ApiError, type Problem } from '../api/api-error.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { DialogActions, DialogBody } from './dialog.tsx';
import { ErrorNotice, sentence } from './error-notice.tsx';
import classes from './form.module.css';
import { Stack } from './layout.tsx';

interface FormProps {
  id?: string | undefined;
  onSubmit: () => void;
  error: Error | null;
  errorTitle?: string | undefined;
  children: ReactNode;
}

/**
 * A form whose wrong fields are named by the service. A field takes the problems whose `param` is its `name`, or is below it:
 * `accountIds[0]` belongs to `accountIds`. The first wrong field gets the focus.
 */
export function Form({
  id,
  onSubmit,
  error,
  errorTitle = words.shared.errors.formTitle,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!error) return;
    setNames(namesIn(form.current));
  }, [error]);
  const { byField, others } = sortProblems(error, names);
  useEffect(() => {
    if (Object.keys(byField).length === 0) return;
    // The fields mark themselves as wrong in an effect of their own.
    const frame = requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [byField]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React tells the forms around a dialog too, although they are not around it in the page.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <Base
      ref={form}
      {...(id !== undefined && { id })}
      className={classes.form}
      validationErrors={byField}
      onSubmit={submit}
    >
      {error && (others.length > 0 || Object.keys(byField).length === 0) && (
        <ErrorNotice error={error} title={errorTitle}>
          {others.length > 0 && (
            <Stack as="ul" gap={1}>
              {others.map(({ param, message }) => (
                <li key={`${param} ${message}`}>
                  <code>{param}</code> {message}
                </li>
              ))}
            </Stack>
          )}
        </ErrorNotice>
      )}
      {children}
    </Base>
  );
}

interface DialogFormProps {
  /** The button that sends. */
  submit: string;
  isDangerous?: boolean | undefined;
  sending: { isPending: boolean; error: Error | null };
  errorTitle?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The content of a dialog that is a {@link Form}, with its buttons. While it is sent, it is not sent again. */
export function DialogForm(props: DialogFormProps) {
  const { submit, isDangerous, sending, errorTitle, onSubmit, onClose, children } = props;
  const id = useId();
  return (
    <>
      <DialogBody>
        <Form
          id={id}
          onSubmit={() => !sending.isPending && onSubmit()}
          error={sending.error}
          errorTitle={errorTitle}
        >
          {children}
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant={isDangerous ? 'danger' : 'primary'}
          type="submit"
          form={id}
          isPending={sending.isPending}
        >
          {submit}
        </Button>
      </DialogActions>
    </>
  );
}

function namesIn(form: HTMLFormElement | null): string[] {
  const elements = [...(form?.elements ?? [])] as (Element & { name?: string })[];
  return [...new Set(elements.map(({ name }) => name ?? '').filter(Boolean))];
}

function sortProblems(error: Error | null, names: readonly string[]) {
  const byField: Record<string, string[]> = {};
  const others: Problem[] = [];
  for (const problem of error instanceof ApiError ? error.problems : []) {
    const name = names.find(
      (each) =>
        problem.param === each ||
        (/^[.[]/.test(problem.param.slice(each.length)) && problem.param.startsWith(each)),
    );
    if (name === undefined) others.push(problem);
    else byField[name] = [...(byField[name] ?? []), sentence(problem.message)];
  }
  return { byField, others };
}
