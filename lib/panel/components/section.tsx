import { type ReactNode, useId } from 'react';
import { join } from './classes.ts';
import classes from './page.module.css';

interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  isCard?: boolean;
  children: ReactNode;
}

/** A part of a page, with a heading below the page's. */
export function Section({ title, lead, actions, isCard, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={join(classes.section, isCard && classes.card)}>
      <header className={classes.head}>
        <div className={classes.sectionTitles}>
          <h2 id={id}>{title}</h2>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
