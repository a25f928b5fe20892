import { join } from './classes.ts';
import classes from './meter.module.css';

interface MeterProps {
  share: number;
  labelledBy: string;
  text: string;
  tone?: 'normal' | 'warn' | 'bad' | undefined;
}

/** A bar that shows how much of something is used, beside the numbers. */
export function Meter({ share, labelledBy, text, tone = 'normal' }: MeterProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: each browser draws the element in its own way
    <div
      role="meter"
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(Math.round(share * 100), 100)}
      aria-valuetext={text}
      className={classes.bar}
    >
      <div
        className={join(classes.fill, classes[tone])}
        style={{ inlineSize: `${Math.min(share, 1) * 100}%` }}
      />
    </div>
  );
}
