import { type ReactNode, useEffect } from 'react';
import { signInUrl } from '../api/session.ts';
import { buttonClasses } from '../components/button.tsx';
import { Stack } from '../components/layout.tsx';
import { ExternalLink } from '../components/link.tsx';
import { words } from '../words/words.ts';
import classes from './greeting.module.css';

const texts = words.greeting;

interface GreetingProps {
  title?: string;
  lead?: string;
  returnTo: string;
  children?: ReactNode;
}

/** Greets people who are not signed in. */
export function Greeting({ title = texts.title, lead = texts.lead, returnTo, children }: GreetingProps) {
  useEffect(() => {
    document.title = words.shared.pageTitle(texts.signIn);
  }, []);
  return (
    <main className={classes.greeting}>
      <div className={classes.card}>
        <p className={classes.product}>
          <Mark />
          {words.shared.product}
        </p>
        <Stack gap={2}>
          <h1>{title}</h1>
          <p className={classes.lead}>{lead}</p>
        </Stack>
        {children}
        <a className={buttonClasses({ variant: 'primary', isWide: true })} href={signInUrl(returnTo)}>
          {texts.signIn}
        </a>
        <p className={classes.documentation}>
          <ExternalLink href="/docs">{texts.documentation}</ExternalLink>
        </p>
      </div>
    </main>
  );
}

/** The product's sign: a pennant. */
function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg className={classes.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M10 25V7l13 5-13 5" />
    </svg>
  );
}
