import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  of: readonly { name: string; value: ReactNode }[];
}

/** Names with their values, in two columns if there is space. */
export function Facts({ of }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {of.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
