import { join } from '../../../components/classes.ts';
import { Status } from '../../../components/status.tsx';
import type { Column } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { formatDay } from '../../../time.ts';
import { words } from '../../../words/words.ts';
import { AccountNames } from '../account-names.tsx';
import common from '../developers.module.css';
import type { Key, useActorName } from '../names.ts';
import { isExpiringSoon, isUnused } from './key-facts.ts';
import { KeyMenu, type KeyMenuProps } from './key-menu.tsx';
import classes from './keys.module.css';

interface Context extends Omit<KeyMenuProps, 'apiKey'> {
  actorName: ReturnType<typeof useActorName>;
  accountNames: ReadonlyMap<string, string> | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** What the list says about each key. */
export function keyColumns({ actorName, accountNames, now, ...menu }: Context): readonly Column<Key>[] {
  const titles = words.keysTab.columns;
  return [
    {
      id: 'key',
      title: titles.key,
      width: 'minmax(0, 1.4fr)',
      isRowHeader: true,
      cell: (key) => <KeyName apiKey={key} />,
    },
    {
      id: 'access',
      title: titles.access,
      width: 'minmax(0, 1.3fr)',
      cell: (key) => <Access apiKey={key} accountNames={accountNames} />,
    },
    {
      id: 'created',
      title: titles.created,
      cell: ({ createdAt, createdBy }) => (
        <div className={common.lines}>
          <Time at={createdAt} format="date" />
          <span className={join(common.note, classes.clamped)}>
            <bdi>{createdBy ? words.keysTab.by(actorName(createdBy)) : words.keysTab.byUnknown}</bdi>
          </span>
        </div>
      ),
    },
    { id: 'used', title: titles.used, cell: (key) => <LastUse apiKey={key} now={now} /> },
    { id: 'status', title: titles.status, cell: (key) => <KeyStatus apiKey={key} now={now} /> },
    {
      id: 'actions',
      title: titles.actions,
      width: '2rem',
      isTitleHidden: true,
      cell: (key) => <KeyMenu apiKey={key} {...menu} />,
    },
  ];
}

function KeyName({ apiKey: { name, lastFour } }: { apiKey: Key }) {
  return (
    <div className={common.lines}>
      <bdi className={classes.clamped}>{name}</bdi>
      {lastFour !== null && (
        <code className={classes.tail}>
          <VisuallyHidden>{words.keysTab.endsIn} </VisuallyHidden>
          <span aria-hidden="true">…</span>
          {lastFour}
        </code>
      )}
    </div>
  );
}

function Access({
  apiKey: { permissions, accountIds },
  accountNames,
}: Pick<Context, 'accountNames'> & { apiKey: Key }) {
  const names = words.keysTab.permissions.names;
  return (
    <div className={common.lines}>
      <span>
        {permissions === null
          ? words.keysTab.allPermissions
          : permissions.map((permission) => names[permission]).join(', ')}
      </span>
      <span className={common.note}>
        <AccountNames ids={accountIds} names={accountNames} />
      </span>
    </div>
  );
}

interface AtTime {
  apiKey: Key;
  now: number;
}

function LastUse({ apiKey, now }: AtTime) {
  const { lastUsedOn } = apiKey;
  return (
    <div className={common.lines}>
      {lastUsedOn === null ? (
        words.keysTab.never
      ) : (
        <span>
          <time dateTime={lastUsedOn}>{formatDay(lastUsedOn)}</time>{' '}
          <span className={common.muted}>{words.keysTab.utc}</span>
        </span>
      )}
      {isUnused(apiKey, now) && <Status tone="warn">{words.keysTab.unused}</Status>}
    </div>
  );
}

const tones = {
  active: ['good', 'check'],
  expired: ['neutral', 'clock'],
  revoked: ['neutral', 'stop'],
} as const;

function KeyStatus({ apiKey, now }: AtTime) {
  const { status, expiresAt, revokedAt, previousUntil } = apiKey;
  const [tone, icon] = tones[status];
  return (
    <div className={common.lines}>
      <Status tone={tone} icon={icon}>
        {words.keysTab.statuses[status]}
      </Status>
      {status === 'revoked' && revokedAt !== null && (
        <span className={common.note}>
          <Time at={revokedAt} format="date" />
        </span>
      )}
      {status !== 'revoked' && expiresAt !== null && (
        <span className={isExpiringSoon(apiKey, now) ? classes.warned : common.note}>
          {status === 'active' && words.keysTab.expires} <Time at={expiresAt} format="date" />
        </span>
      )}
      {previousUntil !== null && (
        <span className={common.note}>
          {words.keysTab.overlap} <Time at={previousUntil} />
        </span>
      )}
    </div>
  );
}
