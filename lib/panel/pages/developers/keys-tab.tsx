import { useState } from 'react';
import type { listKeysOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CurlDialog } from '../../components/curl-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Menu } from '../../components/menu.tsx';
import { Reading } from '../../components/reading.tsx';
import { Status } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { useCurl } from '../../curl.ts';
import { useCommands } from '../../shortcuts.ts';
import { formatDay } from '../../time.ts';
import { type Filters, useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';
import { NewKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { findKeys, isExpiringSoon, isUnused, type Key, requestFor, useActorName } from './keys.ts';
import { AccountNames, useAccountNames } from './parts.tsx';

// In the same file of the site: it has the same parts.
export { AuthorizePage } from './authorize-page.tsx';

type Open = { kind: 'new' } | { kind: KeyAction; key: Key } | undefined;

/** The API keys of the workspace. */
export default function KeysTab() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const curl = useCurl();
  const create = () => setOpen({ kind: 'new' });
  const openFor = (kind: KeyAction, key: Key) => setOpen({ kind, key });
  useCommands([{ name: words.keysTab.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  return (
    <Stack gap={5}>
      <Row as="header" gap={6} align="start" isSpread>
        <p className={classes.lead}>{words.keysTab.lead}</p>
        <Button variant="primary" icon="plus" onPress={create}>
          {words.keysTab.create}
        </Button>
      </Row>
      <KeyList onOpen={openFor} />
      {open?.kind === 'new' && <NewKeyDialog onClose={close} />}
      {open?.kind === 'curl' && (
        <CurlDialog command={curl(requestFor(open.key.permissions))} onClose={close} />
      )}
      {open?.kind === 'rotate' && <RotateKeyDialog apiKey={open.key} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeKeyDialog apiKey={open.key} onClose={close} />}
    </Stack>
  );
}

const filterFrom = 2;

type KeyListProps = Pick<KeyMenuProps, 'onOpen'>;

/** The keys that the filters leave, or what to do where there are none. */
function KeyList({ onOpen }: KeyListProps) {
  const keys = useGet<typeof listKeysOperation>('/panel/keys');
  const filters = useFilters(['q', 'status']);
  const { q, status } = filters.values;
  const all = keys.data?.keys;
  const found = findKeys(all ?? [], { words: q, status });
  if (all === undefined) return <Reading of={keys} />;
  if (all.length === 0) return <NoKeys />;
  return (
    <>
      {all.length >= filterFrom && <KeyFilters filters={filters} found={found.length} />}
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title={words.keysTab.noneFound.title}
          action={<Button onPress={filters.clear}>{words.keysTab.noneFound.clear}</Button>}
        >
          <p>{words.keysTab.noneFound.text}</p>
        </EmptyState>
      ) : (
        <KeyTable all={all} found={found} onOpen={onOpen} />
      )}
    </>
  );
}

function NoKeys() {
  const curl = useCurl();
  return (
    <>
      <EmptyState icon="key" title={words.keysTab.empty.title}>
        <p>{words.keysTab.empty.text}</p>
      </EmptyState>
      <CodeBlock
        label={words.developersPage.curl.label}
        code={curl(requestFor(null))}
        copyLabel={words.developersPage.curl.copy}
      />
    </>
  );
}

interface KeyFiltersProps {
  filters: Filters<'q' | 'status'>;
  found: number;
}

function KeyFilters({ filters: { values, set }, found }: KeyFiltersProps) {
  return (
    <FilterBar
      search={{ label: words.keysTab.search, text: values.q, onText: (q) => set({ q }) }}
      count={words.keysTab.found(found)}
    >
      <Filter
        label={words.keysTab.filter}
        names={words.keysTab.filters}
        value={values.status}
        onChange={(status) => set({ status })}
      />
    </FilterBar>
  );
}

interface KeyTableProps extends KeyListProps {
  all: readonly Key[];
  found: readonly Key[];
}

function KeyTable({ all, found, onOpen }: KeyTableProps) {
  const actorName = useActorName(all);
  const accountNames = useAccountNames();
  const columns = keyColumns({ actorName, accountNames, now: Date.now(), onOpen });
  return (
    <Table
      label={words.keysTab.label}
      columns={columns}
      rows={found}
      idOf={({ id }) => id}
      isFaded={({ status }) => status === 'revoked'}
    />
  );
}

interface Context extends Omit<KeyMenuProps, 'apiKey'> {
  actorName: ReturnType<typeof useActorName>;
  accountNames: ReadonlyMap<string, string> | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** Returns the columns of the list. */
function keyColumns({ actorName, accountNames, now, ...menu }: Context): readonly Column<Key>[] {
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
        <div className={classes.lines}>
          <Time at={createdAt} format="date" />
          <span className={join(classes.note, classes.clamped)}>
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

function KeyName({ apiKey: { name, lastFour, grant } }: { apiKey: Key }) {
  return (
    <div className={classes.lines}>
      <bdi className={classes.clamped}>{name}</bdi>
      {grant !== null && (
        <span className={join(classes.note, classes.clamped)}>
          <bdi>{words.keysTab.client(grant.clientHost)}</bdi>
        </span>
      )}
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
    <div className={classes.lines}>
      <span>
        {permissions === null
          ? words.keysTab.allPermissions
          : permissions.map((permission) => names[permission]).join(', ')}
      </span>
      <Muted as="span">
        <AccountNames ids={accountIds} names={accountNames} />
      </Muted>
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
    <div className={classes.lines}>
      {lastUsedOn === null ? (
        words.keysTab.never
      ) : (
        <span>
          <time dateTime={lastUsedOn}>{formatDay(lastUsedOn)}</time>{' '}
          <Muted as="span" size="m">
            {words.keysTab.utc}
          </Muted>
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
  const { status, expiresAt, revokedAt, previousUntil, grant } = apiKey;
  const [tone, icon] = tones[status];
  return (
    <div className={classes.lines}>
      <Status tone={tone} icon={icon}>
        {words.keysTab.statuses[status]}
      </Status>
      {grant !== null && grant.end !== null && <Muted as="span">{words.keysTab.ends[grant.end]}</Muted>}
      {status === 'revoked' && revokedAt !== null && (
        <Muted as="span">
          <Time at={revokedAt} format="date" />
        </Muted>
      )}
      {status !== 'revoked' && expiresAt !== null && (
        <span className={isExpiringSoon(apiKey, now) ? classes.warned : classes.note}>
          {status === 'active' && words.keysTab.expires} <Time at={expiresAt} format="date" />
        </span>
      )}
      {previousUntil !== null && (
        <Muted as="span">
          {words.keysTab.overlap} <Time at={previousUntil} />
        </Muted>
      )}
    </div>
  );
}

/** The actions on a key, each with a dialog. */
type KeyAction = 'curl' | 'rotate' | 'revoke';

interface KeyMenuProps {
  apiKey: Key;
  onOpen: (action: KeyAction, key: Key) => void;
}

/** The actions on a key. None, once it is revoked. Rotation gives an expired key a new end. A grant can only be revoked. */
function KeyMenu({ apiKey, onOpen }: KeyMenuProps) {
  const { status, name, grant } = apiKey;
  if (status === 'revoked') return null;
  const isActive = status === 'active';
  const isKey = grant === null;
  return (
    <Menu
      trigger={<IconButton icon="dots" label={words.keysTab.menu(name)} size="small" />}
      label={words.keysTab.menu(name)}
      actions={[
        ...(isActive && isKey
          ? [
              {
                id: 'curl',
                name: words.developersPage.curl.copyAction,
                icon: 'developers' as const,
                run: () => onOpen('curl', apiKey),
              },
            ]
          : []),
        ...(isKey
          ? [
              {
                id: 'rotate',
                name: words.keysTab.rotate,
                icon: 'refresh' as const,
                run: () => onOpen('rotate', apiKey),
              },
            ]
          : []),
        {
          id: 'revoke',
          name: words.keysTab.revoke,
          icon: 'stop',
          isDangerous: true,
          run: () => onOpen('revoke', apiKey),
        },
      ]}
    />
  );
}
