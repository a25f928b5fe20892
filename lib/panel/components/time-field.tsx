import { parseTime, type Time } from '@internationalized/date';
import { useMemo } from 'react';
import {
  TimeField as Base,
  type TimeFieldProps as BaseProps,
  DateInput,
  DateSegment,
  type TimeValue,
} from 'react-aria-components/TimeField';
import { join } from './classes.ts';
import classes from './date-field.module.css';
import field from './field.module.css';
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx';
import { WholeValue } from './whole-value.tsx';

interface TimeFieldProps
  extends Omit<BaseProps<TimeValue>, 'className' | 'style' | 'children' | 'value' | 'onChange'>,
    FieldTexts {
  value: string;
  onChange: (time: string) => void;
}

/** A time of the day, to the minute. */
export function TimeField({ label, help, isOptional, value, onChange, ...rest }: TimeFieldProps) {
  // Another object with the same time would take back what somebody has typed of the next one.
  const time = useMemo(() => timeOf(value), [value]);
  return (
    <WholeValue isSet={value !== ''}>
      {(key) => (
        <Base
          key={key}
          {...rest}
          value={time}
          onChange={(next) => onChange(next?.toString().slice(0, 5) ?? '')}
          hourCycle={24}
          shouldForceLeadingZeros
          className={field.field}
        >
          <FieldLabel label={label} isOptional={isOptional} />
          <DateInput className={join(field.control, classes.input)}>
            {(segment) => <DateSegment segment={segment} className={classes.segment} />}
          </DateInput>
          <FieldNotes help={help} />
        </Base>
      )}
    </WholeValue>
  );
}

/** Returns null for a text that is not a time. */
function timeOf(text: string): Time | null {
  try {
    return parseTime(text);
  } catch {
    return null;
  }
}
