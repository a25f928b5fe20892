import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import classes from './rows.module.css';

interface RowProps {
  mark: ReactNode;
  title: ReactNode;
  state: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  error?: Error | null;
  errorTitle?: string;
}

/** Something that needs a person: what, why, and one action. */
export function Row({ mark, title, state, children, action, error, errorTitle }: RowProps) {
  return (
    <li className={classes['row']}>
      <span>{mark}</span>
      <div className={classes['body']}>
        <div className={classes['titleLine']}>
          <h3 className={classes['rowTitle']}>{title}</h3>
          {state}
        </div>
        {children}
        {error && <ErrorNotice error={error} title={errorTitle} />}
      </div>
      {action && <div className={classes['action']}>{action}</div>}
    </li>
  );
}
