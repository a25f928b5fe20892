import type { ReactNode } from 'react';
import { join } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './notice.module.css';

const icons = { info: 'info', good: 'check', warn: 'alert', bad: 'alert' } as const satisfies Record<
  string,
  IconName
>;

interface NoticeProps {
  tone: keyof typeof icons;
  title?: string | undefined;
  children?: ReactNode;
  actions?: ReactNode;
  isLive?: boolean | undefined;
}

/** A message in the page, where it belongs. */
export function Notice({ tone, title, children, actions, isLive }: NoticeProps) {
  return (
    <div className={join(classes.notice, classes[tone])} role={isLive ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div className={classes.text}>
        {title && <p className={classes.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
