import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './status.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

const icons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  warn: 'alert',
  bad: 'cross',
  info: 'clock',
  neutral: 'pause',
};

interface StatusProps {
  tone: Tone;
  icon?: IconName | undefined;
  isPlain?: boolean | undefined;
  children: string;
}

/** A state as picture and word: colour alone says nothing. */
export function Status({ tone, icon = icons[tone], isPlain, children }: StatusProps) {
  return (
    <span className={join(classes.status, classes[tone], isPlain && classes.plain)}>
      <Icon name={icon} size={12} />
      <span className={classes.word}>{children}</span>
    </span>
  );
}

/** A small label that is no state, such as a role or a permission. */
export function Badge({ children }: { children: string }) {
  return <span className={join(classes.status, classes.neutral)}>{children}</span>;
}
