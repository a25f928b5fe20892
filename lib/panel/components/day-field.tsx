import { useState } from 'react';
import { isDay } from '../time.ts';
import { DateField } from './date-field.tsx';

interface DayFieldProps {
  label: string;
  value: string;
  problem?: string | undefined;
  onChange: (day: string) => void;
}

/** A day. While somebody types its year, the field has days of the year 2: those stay in the field. */
export function DayField({ label, value, problem, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string>();
  const type = (text: string) => {
    const isWhole = text === '' || isDay(text);
    setTyped(isWhole ? undefined : text);
    if (isWhole) onChange(text);
  };
  return (
    <DateField
      label={label}
      value={typed ?? value}
      onChange={type}
      validationBehavior="aria"
      validate={() => problem ?? null}
    />
  );
}
