import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Time } from '../../../components/time.tsx';
import { addDays, dayIn } from '../../../time.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { type Expiry, expiresAt } from './expiry.ts';
import classes from './keys.module.css';

const dayChoices = [30, 90, 365];
const mostDays = 5 * 365;

interface ExpiryChoiceProps {
  value: Expiry;
  onChange: (value: Expiry) => void;
  isRequired?: boolean;
}

/** When a key ends: never, after some days, or on a date. */
export function ExpiryChoice({ value, onChange, isRequired = false }: ExpiryChoiceProps) {
  const { timezone } = useWorkspace();
  const texts = words.keysTab.expiry;
  const isDate = value.kind === 'date';
  const until = expiresAt(value, timezone, Date.now());
  const choose = (id: string) => {
    if (id === 'never') onChange({ kind: 'never' });
    else if (id === 'date') onChange({ kind: 'date', date: '' });
    else onChange({ kind: 'days', days: Number(id) });
  };
  return (
    <div className={classes.pair}>
      <Select
        label={texts.label}
        {...(!isDate && { name: 'expiresAt' })}
        choices={[
          ...(isRequired ? [] : [{ id: 'never', name: texts.never }]),
          ...dayChoices.map((days) => ({ id: String(days), name: texts.days(days) })),
          { id: 'date', name: texts.date },
        ]}
        selectedKey={value.kind === 'days' ? String(value.days) : value.kind}
        onSelectionChange={(id) => choose(String(id))}
        help={
          value.kind === 'never' ? (
            texts.neverHelp
          ) : value.kind === 'days' && until !== undefined ? (
            <>
              {texts.until} <Time at={until} />
            </>
          ) : undefined
        }
      />
      {isDate && <LastDay date={value.date} onChange={(date) => onChange({ kind: 'date', date })} />}
    </div>
  );
}

function LastDay({ date, onChange }: { date: string; onChange: (date: string) => void }) {
  const { timezone } = useWorkspace();
  const texts = words.keysTab.expiry;
  const today = dayIn(new Date(), timezone);
  const last = addDays(today, mostDays - 1);
  return (
    <TextField
      label={texts.dateLabel}
      name="expiresAt"
      type="date"
      value={date}
      onChange={onChange}
      help={texts.dateHelp(timezone)}
      validate={(value) => {
        if (value === '') return texts.dateMissing;
        return value < today || value > last ? texts.dateWrong : null;
      }}
    />
  );
}
