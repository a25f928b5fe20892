import { useState } from 'react';
import type { listSessionsOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useSignOut } from '../../shell/user-menu.tsx';
import { words } from '../../words/words.ts';
import { Reading } from './reading.tsx';
import { browserName } from './sessions/browser-name.ts';
import { EndOthersDialog, EndSessionDialog } from './sessions/end-session-dialogs.tsx';
import classes from './sessions/sessions.module.css';

const texts = words.settingsPage.sessions;

export type ListedSession = ReplyOf<typeof listSessionsOperation>['sessions'][number];

type Asked = ListedSession | 'others' | undefined;

/** The person's sessions, and ways to end them. */
export default function SessionsTab() {
  const sessions = useGet<typeof listSessionsOperation>('/panel/sessions');
  return (
    <Reading of={sessions} rows={3}>
      {({ sessions }) => <Sessions sessions={sessions} />}
    </Reading>
  );
}

function Sessions({ sessions }: { sessions: readonly ListedSession[] }) {
  const [asked, setAsked] = useState<Asked>();
  const [isSigningOut, setSigningOut] = useState(false);
  const signOut = useSignOut();
  const others = sessions.filter(({ isThis }) => !isThis);
  const ordered = [...sessions.filter(({ isThis }) => isThis), ...others];
  const close = () => setAsked(undefined);
  const signOutHere = () => {
    setSigningOut(true);
    void signOut().finally(() => setSigningOut(false));
  };
  const columns: Column<ListedSession>[] = [
    {
      id: 'browser',
      title: texts.columns.browser,
      isRowHeader: true,
      width: 'minmax(0, 5fr)',
      cell: (session) => <Browser session={session} />,
    },
    {
      id: 'signedIn',
      title: texts.columns.signedIn,
      width: 'minmax(0, 4fr)',
      cell: ({ signedInAt }) => <Time at={signedInAt} />,
    },
    {
      id: 'used',
      title: texts.columns.used,
      width: 'minmax(0, 4fr)',
      cell: ({ usedAt, isThis }) =>
        isThis ? <Status tone="good">{texts.usedNow}</Status> : <Time at={usedAt} isRelative />,
    },
    {
      id: 'actions',
      title: texts.columns.actions,
      isTitleHidden: true,
      width: '8rem',
      cell: (session) =>
        session.isThis ? (
          <Button size="small" onPress={signOutHere} isPending={isSigningOut} aria-label={texts.signOutHere}>
            {texts.signOut}
          </Button>
        ) : (
          <Button
            size="small"
            onPress={() => setAsked(session)}
            aria-label={texts.endOf(titleOf(session.browser))}
          >
            {texts.end}
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={texts.title}
      lead={texts.lead}
      actions={others.length > 0 && <Button onPress={() => setAsked('others')}>{texts.endOthers}</Button>}
    >
      <Table label={texts.label} columns={columns} rows={ordered} idOf={({ id }) => id} />
      {others.length === 0 && <p className={classes.muted}>{texts.onlyThis}</p>}
      {asked === 'others' && <EndOthersDialog others={others.length} onClose={close} />}
      {asked !== undefined && asked !== 'others' && (
        <EndSessionDialog id={asked.id} browser={titleOf(asked.browser)} onClose={close} />
      )}
    </Section>
  );
}

/** `Firefox 141 on Linux`, or as much of it as is known. */
export function titleOf(userAgent: string): string {
  const { browser, system } = browserName(userAgent);
  if (browser !== undefined && system !== undefined) return texts.named(browser, system);
  return browser ?? system ?? texts.unknown;
}

function Browser({ session: { browser, isThis } }: { session: ListedSession }) {
  const title = titleOf(browser);
  return (
    <span className={classes.browser}>
      <span className={classes.icon}>
        <Icon name={browserName(browser).isPhone ? 'phone' : 'system'} />
      </span>
      <span className={classes.names}>
        <span className={classes.title}>
          {title}
          {isThis && <Badge>{texts.this}</Badge>}
        </span>
        {title === texts.unknown && (
          <span className={classes.agent}>{browser.trim() === '' ? texts.nothingSent : browser}</span>
        )}
      </span>
    </span>
  );
}
