import { type Account, nameOf } from '../accounts/account.ts';
import { join } from '../components/classes.ts';
import classes from './feed.module.css';
import { Avatar } from './parts.tsx';
import { Sign, type SignName } from './sign.tsx';

interface FeedHeadProps {
  account: Account;
  isSquare?: boolean;
  when: string;
  className: string | undefined;
}

/** Whose post it is, as feeds of professional and personal networks show it. */
export function FeedHead({ account, isSquare = false, when, className }: FeedHeadProps) {
  return (
    <div className={join(classes['head'], className)}>
      <Avatar account={account} isSquare={isSquare} />
      <div className={classes['names']}>
        <bdi className={classes['name']}>{nameOf(account)}</bdi>
        <span className={classes['when']}>
          {when} · <Sign name="globe" size={12} />
        </span>
      </div>
      <Sign name="dots" />
    </div>
  );
}

interface FeedActsProps {
  acts: readonly (readonly [SignName, string])[];
  className?: string | undefined;
}

/** What people can do with the post. Nothing of it works here. */
export function FeedActs({ acts, className }: FeedActsProps) {
  return (
    <div className={join(classes['acts'], className)} aria-hidden="true">
      {acts.map(([sign, name]) => (
        <span key={name}>
          <Sign name={sign} size={18} /> {name}
        </span>
      ))}
    </div>
  );
}
