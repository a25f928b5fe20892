import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { formatBytes } from '../../bytes.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { Meter } from '../../components/meter.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { MediaView } from '../../media/draft-media.ts';
import { carry, fromLibrary } from '../../media/library.ts';
import { LibraryList } from '../../media/library-list.tsx';
import { useFilters, useTyped } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './media.module.css';

const texts = words.mediaPage;

const DeleteDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).DeleteDialog }));
const DetailsDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).DetailsDialog }));

const none: ReadonlyMap<string, MediaView> = new Map();
/** The most files that a person deletes at once: each is a request. */
const mostSelected = 50;

/** The files of the workspace: what they are, where they are used, and how much space is left. */
export function MediaPage() {
  const { name } = useWorkspace();
  const navigate = useNavigate();
  const { values, set, clear } = useFilters(['q', 'kind']);
  const [text, setText] = useTyped(values.q, (q) => set({ q }));
  const [selected, setSelected] = useState(none);
  const [removing, setRemoving] = useState<readonly MediaView[]>();
  const [opened, setOpened] = useState<MediaView>();
  const files = [...selected.values()];
  const use = (media: readonly MediaView[]) => {
    carry(media.map(fromLibrary));
    void navigate({ to: '/compose' });
  };
  return (
    <Page title={texts.title} of={name} lead={texts.lead}>
      <Stack gap={5}>
        <Space />
        {files.length > 0 && (
          <section className={classes.bar} aria-label={texts.selected(files.length)}>
            <p role="status">{texts.selected(files.length)}</p>
            <Row>
              <Button size="small" variant="quiet" onPress={() => setSelected(none)}>
                {texts.unselect}
              </Button>
              <Button
                size="small"
                icon="plus"
                isDisabled={files.some(({ status }) => status !== 'ready')}
                onPress={() => use(files)}
              >
                {texts.use}
              </Button>
              <Button size="small" icon="trash" onPress={() => setRemoving(files)}>
                {texts.delete}
              </Button>
            </Row>
          </section>
        )}
        <LibraryList
          filters={values}
          text={text}
          onText={setText}
          onKind={(kind) => set({ kind })}
          onClear={() => {
            setText('');
            clear();
          }}
          searchCommand={texts.searchCommand}
          selected={selected}
          onSelect={setSelected}
          most={mostSelected}
          onOpen={setOpened}
        />
      </Stack>
      <Suspense>
        {opened && (
          <DetailsDialog
            media={opened}
            onClose={() => setOpened(undefined)}
            onUse={() => use([opened])}
            onDelete={() => {
              setRemoving([opened]);
              setOpened(undefined);
            }}
          />
        )}
        {removing && (
          <DeleteDialog
            media={removing}
            onDeleted={(ids) => setSelected(new Map([...selected].filter(([id]) => !ids.has(id))))}
            onClose={() => setRemoving(undefined)}
          />
        )}
      </Suspense>
    </Page>
  );
}

const nearFull = 0.9;

/** The used share of the storage, with the remedy if little is left. */
function Space() {
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace');
  const storage = workspace.data?.workspace.storage;
  if (storage === undefined)
    return workspace.isError ? (
      <ErrorNotice error={workspace.error} title={texts.storage.failed} />
    ) : (
      <Skeleton kind="text" rows={2} />
    );
  const { quotaBytes } = storage;
  const usedBytes = storage.usedBytes ?? 0;
  const share = quotaBytes > 0 ? usedBytes / quotaBytes : 1;
  const used = texts.storage.used(formatBytes(usedBytes), formatBytes(quotaBytes));
  const free = texts.storage.free(formatBytes(Math.max(0, quotaBytes - usedBytes)));
  return (
    <Stack gap={3}>
      <div className={classes.space}>
        <p id="media-storage" className={classes.numbers}>
          <span>{used}</span>
          <span className={classes.free}>{free}</span>
        </p>
        <Meter
          share={share}
          labelledBy="media-storage"
          text={`${used}, ${free}`}
          tone={share >= 1 ? 'bad' : share >= nearFull ? 'warn' : 'normal'}
        />
      </div>
      {share >= nearFull && (
        <Notice
          tone={share >= 1 ? 'bad' : 'warn'}
          title={share >= 1 ? texts.storage.full : texts.storage.near}
        >
          {share >= 1 ? texts.storage.fullText : texts.storage.nearText}
        </Notice>
      )}
    </Stack>
  );
}
