import type { ReactNode } from 'react';
import { join } from '../../../components/classes.ts';
import { sentence } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { words } from '../../../words/words.ts';
import { at, idOfKey, type Placed } from '../draft/places.ts';
import classes from './at-field.module.css';
import { accountName, useComposing } from './context.ts';

interface AtFieldProps {
  of: string;
  isTall?: boolean;
  children: ReactNode;
}

/** Where the links of the list of problems lead: the field's own control gets the focus. */
export function AtField({ of, isTall, children }: AtFieldProps) {
  return (
    <div id={idOfKey(of)} className={join(classes['atField'], isTall && classes['tall'])}>
      {children}
    </div>
  );
}

const controls = 'textarea, input, button, select, a[href], [tabindex]';

/** Moves the focus to a field, and opens what is closed around it. Its tab must be in sight already. */
export function focusField(key: string): void {
  const element = fieldOf(key);
  for (let around = element?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true;
  const control = element?.querySelector<HTMLElement>(controls);
  if (element && !control) element.tabIndex = -1;
  (control ?? element)?.focus();
  // What floats over the page must not cover it.
  element?.scrollIntoView({ block: 'center' });
}

/** The element of a field. Where the field of an option is not shown, such as of an account that is gone, that of its step. */
function fieldOf(key: string): HTMLElement | null {
  const [, step] = /^(step-.*)-[\da-f-]{36}-option-/.exec(key) ?? [];
  return (
    document.getElementById(idOfKey(key)) ??
    (step === undefined ? null : document.getElementById(idOfKey(`${step}-accounts`)))
  );
}

interface Said {
  /** For the field itself: React Aria marks it as invalid and reads them with it. */
  validate: () => string[] | null;
  /** Warnings, for below the field. */
  notes: ReactNode;
  problems: readonly string[];
}

/**
 * What is said about a field.
 *
 * @param isShared whether several accounts share it, so that each message names its account
 */
export function useSaid(key: string, isShared = false): Said {
  const { draft, accounts, problems, warnings } = useComposing();
  const textOf = ({ message, accountId }: Placed) => {
    const text = sentence(message);
    if (!isShared || accountId === null || draft.destinations.length < 2) return text;
    const platform = draft.destinations.find((each) => each.accountId === accountId)?.platform;
    return words.composer.findings.for(accountName(accounts, accountId, platform), text);
  };
  const wrong = [...new Set(at(problems, key).map(textOf))];
  const doubtful = [...new Set(at(warnings, key).map(textOf))];
  return {
    validate: () => (wrong.length > 0 ? wrong : null),
    notes: doubtful.length > 0 ? <Lines tone="warn" lines={doubtful} /> : undefined,
    problems: wrong,
  };
}

/** What is said about something that is not a field of React Aria's. */
export function Said({ of, isShared = false }: { of: string; isShared?: boolean }) {
  const { problems, notes } = useSaid(of, isShared);
  return (
    <>
      {problems.length > 0 && <Lines tone="bad" lines={problems} />}
      {notes}
    </>
  );
}

/** Spans, because descriptions of fields may hold no blocks. */
function Lines({ tone, lines }: { tone: 'bad' | 'warn'; lines: readonly string[] }) {
  return (
    <span className={classes['lines']}>
      {lines.map((line) => (
        <span key={line} className={classes[tone]}>
          <Icon name="alert" size={14} />
          <span>{line}</span>
        </span>
      ))}
    </span>
  );
}
