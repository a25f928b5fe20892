import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { words } from '../../words/words.ts';
import classes from './list.module.css';
import type { Obstacle } from './rows.ts';

interface ObstacleNoteProps {
  obstacle: Obstacle;
  accountId: string;
}

/** Why nothing happens although the automation is active, and where that is put right. */
export function ObstacleNote({ obstacle, accountId }: ObstacleNoteProps) {
  const action =
    obstacle === 'error' ? words.automationsPage.account.look : words.automationsPage.account.reconnect;
  return (
    <p className={classes.obstacle}>
      <Icon name="alert" size={14} />
      <span>
        {words.automationsPage.account[obstacle]}{' '}
        {obstacle === 'disconnected' ? (
          <Link to="/accounts">{action}</Link>
        ) : (
          <Link to="/accounts/$id" params={{ id: accountId }}>
            {action}
          </Link>
        )}
      </span>
    </p>
  );
}
