import { type CalendarDate, parseDate } from '@internationalized/date';
import { lazy, Suspense, useMemo } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  DatePicker as Base,
  type DatePickerProps as BaseProps,
  DateInput,
  DateSegment,
  type DateValue,
} from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Popover } from 'react-aria-components/Popover';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import classes from './date-field.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';
import { Icon } from './icon.tsx';
import popover from './popover.module.css';
import { WholeValue } from './whole-value.tsx';

const MonthGrid = lazy(() => import('./month-grid.tsx'));

interface DateFieldProps
  extends Omit<BaseProps<DateValue>, 'className' | 'style' | 'children' | 'value' | 'onChange' | 'validate'>,
    FieldTexts {
  value: string;
  onChange: (date: string) => void;
  validate?: (date: string) => string | null | undefined;
}

/** A day, typed in parts or chosen in a calendar. */
export function DateField({ label, help, isOptional, value, onChange, validate, ...rest }: DateFieldProps) {
  // Another object with the same date would take back what somebody has typed of the next one.
  const date = useMemo(() => dateOf(value), [value]);
  return (
    <WholeValue isSet={value !== ''}>
      {(key) => (
        <Base
          key={key}
          {...rest}
          value={date}
          onChange={(next) => onChange(next?.toString() ?? '')}
          {...(validate && { validate: (next: DateValue | null) => validate(next?.toString() ?? '') })}
          className={field.field}
        >
          <FieldLabel label={label} isOptional={isOptional} />
          <Group className={join(field.control, classes.group)}>
            <DateInput className={classes.input}>
              {(segment) => <DateSegment segment={segment} className={classes.segment} />}
            </DateInput>
            <Button className={classes.open}>
              <Icon name="calendar" />
            </Button>
          </Group>
          <FieldNotes help={help} />
          <Popover className={popover.popover} offset={4}>
            <Dialog className={classes.dialog} aria-label={words.shared.dateTime.choose}>
              <Suspense>
                <MonthGrid />
              </Suspense>
            </Dialog>
          </Popover>
        </Base>
      )}
    </WholeValue>
  );
}

/** Returns null for a text that is not a date, such as one from a URL. */
function dateOf(text: string): CalendarDate | null {
  try {
    return parseDate(text);
  } catch {
    return null;
  }
}
