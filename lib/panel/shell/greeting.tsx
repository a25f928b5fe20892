import { type ReactNode, useEffect } from 'react';
import { signInUrl } from '../api/session.ts';
import { buttonClasses } from '../components/button.tsx';
import { ExternalLink } from '../components/link.tsx';
import { words } from '../words/words.ts';
import classes from './greeting.module.css';
import { Mark } from './mark.tsx';

interface GreetingProps {
  title: string;
  lead: string;
  returnTo: string;
  children?: ReactNode;
}

/** For people who are not signed in. */
export function Greeting({ title, lead, returnTo, children }: GreetingProps) {
  useEffect(() => {
    document.title = words.shared.pageTitle(words.shared.greeting.signIn);
  }, []);
  return (
    <main className={classes.greeting}>
      <div className={classes.card}>
        <p className={classes.product}>
          <Mark />
          {words.shared.product}
        </p>
        <div className={classes.texts}>
          <h1>{title}</h1>
          <p className={classes.lead}>{lead}</p>
        </div>
        {children}
        <a className={buttonClasses({ variant: 'primary', isWide: true })} href={signInUrl(returnTo)}>
          {words.shared.greeting.signIn}
        </a>
        <p className={classes.documentation}>
          <ExternalLink href="/docs">{words.shared.greeting.documentation}</ExternalLink>
        </p>
      </div>
    </main>
  );
}
