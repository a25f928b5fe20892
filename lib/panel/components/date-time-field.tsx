import { browserZone, formatTime, isSameTime, zoneName } from '../time.ts';
import { instantOf, type Reading, type WallClock } from '../wall-clock.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import classes from './date-time-field.module.css';
import field from './field.module.css';
import { loadable, useLoaded } from './loaded.ts';
import { Notice } from './notice.tsx';
import { Radio, RadioGroup } from './radio-group.tsx';
import { Skeleton } from './skeleton.tsx';

export interface DateTimeFieldProps {
  label: string;
  value: WallClock;
  onChange: (value: WallClock) => void;
  name?: string;
  isDisabled?: boolean;
}

const texts = words.shared.dateTime;
const fields = loadable(async () => ({
  ...(await import('./date-field.tsx')),
  ...(await import('./time-field.tsx')),
}));

/**
 * A date and a time on the workspace's clocks. It names their zone, says what the person's own clock shows then, and what is meant by a
 * time that the clocks skip or show twice.
 */
export function DateTimeField({ label, value, onChange, name, isDisabled = false }: DateTimeFieldProps) {
  const { timezone } = useWorkspace();
  const loaded = useLoaded(fields);
  const reading = instantOf(value, timezone);
  const change = (changes: Partial<WallClock>) =>
    onChange({ date: value.date, time: value.time, ...changes });
  return (
    <fieldset className={classes.group} disabled={isDisabled}>
      <legend className={field.label}>{label}</legend>
      <div className={classes.fields}>
        {loaded === undefined ? (
          <Skeleton rows={1} />
        ) : (
          <>
            <loaded.DateField
              label={texts.date}
              value={value.date}
              onChange={(date) => change({ date })}
              isDisabled={isDisabled}
              {...(name !== undefined && { name })}
            />
            <loaded.TimeField
              label={texts.time}
              value={value.time}
              onChange={(time) => change({ time })}
              isDisabled={isDisabled}
            />
          </>
        )}
      </div>
      <p className={field.help}>
        {reading === undefined
          ? texts.zone(timezone)
          : texts.zoneThen(timezone, zoneName(reading.at, timezone))}
        {reading !== undefined && <OwnTime at={reading.at} timezone={timezone} />}
      </p>
      {reading !== undefined && (
        <Doubt reading={reading} value={value} timezone={timezone} onChange={change} />
      )}
    </fieldset>
  );
}

function OwnTime({ at, timezone }: { at: Date; timezone: string }) {
  const own = browserZone();
  if (isSameTime(at, timezone, own)) return null;
  return <span className={classes.own}>{words.shared.time.yourTime(formatTime(at, own, 'full'))}</span>;
}

interface DoubtProps {
  reading: Reading;
  value: WallClock;
  timezone: string;
  onChange: (changes: Partial<WallClock>) => void;
}

/** Says that the clocks skip the time, or asks which one is meant if they show it twice. */
function Doubt({ reading, value, timezone, onChange }: DoubtProps) {
  if (reading.kind === 'exact') return null;
  if (reading.kind === 'skipped')
    return (
      <Notice tone="warn" isLive>
        {texts.skipped(value.time, reading.shown.time)}
      </Notice>
    );
  return (
    <RadioGroup
      label={texts.repeated(value.time)}
      value={value.isSecond ? 'second' : 'first'}
      onChange={(which) => onChange({ isSecond: which === 'second' })}
    >
      <Radio value="first">{texts.first(zoneName(reading.first, timezone))}</Radio>
      <Radio value="second">{texts.second(zoneName(reading.second, timezone))}</Radio>
    </RadioGroup>
  );
}
