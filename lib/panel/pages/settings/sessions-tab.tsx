import { useState } from 'react';
import type {
  endOtherSessionsOperation,
  endSessionOperation,
  listSessionsOperation,
} from '../../../people/operations.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Badge, Status } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { useSignOut } from '../../shell/user-menu.tsx';
import { words } from '../../words/words.ts';
import { browserName } from './browser-name.ts';
import classes from './settings.module.css';

const texts = words.settingsPage.sessions;

type ListedSession = ReplyOf<typeof listSessionsOperation>['sessions'][number];

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
      {others.length === 0 && <Muted size="m">{texts.onlyThis}</Muted>}
      {asked === 'others' && <EndOthersDialog others={others.length} onClose={close} />}
      {asked !== undefined && asked !== 'others' && (
        <EndSessionDialog id={asked.id} browser={titleOf(asked.browser)} onClose={close} />
      )}
    </Section>
  );
}

/** `Firefox 141 on Linux`, or as much of it as is known. */
function titleOf(userAgent: string): string {
  const { browser, system } = browserName(userAgent);
  if (browser !== undefined && system !== undefined) return texts.named(browser, system);
  return browser ?? system ?? texts.unknown;
}

function Browser({ session: { browser, isThis } }: { session: ListedSession }) {
  const title = titleOf(browser);
  return (
    <Row as="span" gap={3} isOneLine>
      <span className={classes.browserIcon}>
        <Icon name={browserName(browser).isPhone ? 'phone' : 'system'} />
      </span>
      <Stack as="span" gap={0}>
        <Row as="span" gap={3}>
          {title}
          {isThis && <Badge>{texts.this}</Badge>}
        </Row>
        {title === texts.unknown && (
          <span className={classes.agent}>{browser.trim() === '' ? texts.nothingSent : browser}</span>
        )}
      </Stack>
    </Row>
  );
}

const changed = ['/panel/sessions'];

interface EndSessionProps {
  id: string;
  browser: string;
  onClose: () => void;
}

/** Ends another session of the person. */
function EndSessionDialog({ id, browser, onClose }: EndSessionProps) {
  const end = useSend<typeof endSessionOperation>('DELETE', '/panel/sessions/{id}', changed);
  const confirm = () =>
    end.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          toast({ text: texts.ended });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={texts.endTitle}
      action={texts.end}
      isOpen
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.endText(browser)}</p>
      <p>{texts.notYours}</p>
    </ConfirmDialog>
  );
}

interface EndOthersProps {
  others: number;
  onClose: () => void;
}

/** Ends all sessions of the person but this one. */
function EndOthersDialog({ others, onClose }: EndOthersProps) {
  const end = useSend<typeof endOtherSessionsOperation>('DELETE', '/panel/sessions', changed);
  const confirm = () =>
    end.mutate(undefined as never, {
      onSuccess: () => {
        toast({ text: texts.othersEnded });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={texts.endOthersTitle(others)}
      action={texts.endOthers}
      isOpen
      isPending={end.isPending}
      error={end.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{texts.endOthersText}</p>
    </ConfirmDialog>
  );
}
