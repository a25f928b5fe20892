import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Facts with their names. Those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== false);
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An id, or another text of programs, with a copy button. */
export function Code({ children }: { children: ReactNode }) {
  return <span className={classes.code}>{children}</span>;
}
