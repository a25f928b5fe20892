import type { ReactNode } from 'react';
import { Sign, type SignName } from './sign.tsx';
import classes from './vertical.module.css';

interface VerticalProps {
  children: ReactNode;
  top?: ReactNode;
  foot?: ReactNode;
  signs?: readonly SignName[];
}

/** A whole screen of a phone: reels, stories, Shorts and TikTok. It is dark in both themes. */
export function Vertical({ children, top, foot, signs = [] }: VerticalProps) {
  return (
    <div className={classes['screen']}>
      <div className={classes['files']}>{children}</div>
      {top && <div className={classes['top']}>{top}</div>}
      {(foot || signs.length > 0) && (
        <div className={classes['bottom']}>
          <div className={classes['foot']}>{foot}</div>
          {signs.length > 0 && (
            <div className={classes['signs']} aria-hidden="true">
              {signs.map((name) => (
                <Sign key={name} name={name} size={24} />
              ))}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
