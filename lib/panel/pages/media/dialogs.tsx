import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { deleteMediaOperation } from '../../../media/operations.ts';
import type { listMediaPostsOperation } from '../../../posts/operations.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useGet } from '../../api/hooks.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { formatBytes } from '../../bytes.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { Facts, Muted, Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Reading } from '../../components/reading.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { formatDuration, kindOf, type MediaView } from '../../media/draft-media.ts';
import { fromLibrary } from '../../media/library.ts';
import { Picture } from '../../media/picture.tsx';
import { PostLink, PostState } from '../../posts/post-parts.tsx';
import { conditionOfPost } from '../../posts/state.ts';
import { words } from '../../words/words.ts';
import classes from './media.module.css';

const texts = words.mediaPage;

interface DetailsDialogProps {
  media: MediaView;
  onClose: () => void;
  onUse: () => void;
  onDelete: () => void;
}

/** A file as a whole, its facts, and the posts that use it. */
export function DetailsDialog({ media, onClose, onUse, onDelete }: DetailsDialogProps) {
  const file = fromLibrary(media);
  const { status, statusMessage, filename, sizeBytes, sourceUrl, createdAt } = media;
  const { widthPixels, heightPixels, durationMs } = file;
  return (
    <Dialog title={filename} isOpen size="medium" onClose={onClose}>
      <DialogBody>
        <Stack>
          {status === 'ready' ? (
            <div className={classes.whole}>
              <Picture media={file} isWhole />
            </div>
          ) : (
            <Notice tone={status === 'invalid' ? 'bad' : 'info'} title={texts.states[status]}>
              {statusMessage !== null && sentence(statusMessage)}
            </Notice>
          )}
          <Facts
            of={{
              [texts.details.kind]: texts.details.oneKind[kindOf(file)],
              [texts.details.size]: sizeBytes !== null && formatBytes(sizeBytes),
              [texts.details.pixels]:
                widthPixels !== undefined &&
                heightPixels !== undefined &&
                words.media.tile.pixels(widthPixels, heightPixels),
              [texts.details.duration]: durationMs !== undefined && formatDuration(durationMs),
              [texts.details.added]: <Time at={createdAt} />,
              [texts.details.from]: sourceUrl !== null && <bdi>{sourceUrl}</bdi>,
            }}
          />
          <section aria-label={texts.details.uses}>
            <Stack gap={2}>
              <h3>{texts.details.uses}</h3>
              <Uses mediaId={media.id} />
            </Stack>
          </section>
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button icon="trash" onPress={onDelete}>
          {texts.delete}
        </Button>
        <Button variant="primary" isDisabled={status !== 'ready'} onPress={onUse}>
          {texts.use}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const shownUses = '10';
/** Posts that keep no file. The rest of a chain may, whose post is published: then the service's reason is shown. */
const neverKeep: readonly string[] = ['draft', 'failed', 'published'];

interface UsesProps {
  mediaId: string;
  /** The reason why the file stays; then only posts are shown that may be the cause. */
  keptBy?: string;
}

/** The newest posts that use a file. */
function Uses({ mediaId, keptBy }: UsesProps) {
  const uses = useGet<typeof listMediaPostsOperation>(
    '/v1/media/{id}/posts',
    { path: { id: mediaId }, query: { limit: shownUses } },
    { refetchEveryMs: false },
  );
  return (
    <Reading of={uses} rows={1}>
      {({ posts, nextCursor }) => {
        const shown =
          keptBy === undefined ? posts : posts.filter(({ status }) => !neverKeep.includes(status));
        return (
          <Stack as="ul" gap={1}>
            {shown.map((post) => (
              <li key={post.id} className={classes.use}>
                <PostLink post={post} characters={50} />
                <PostState condition={conditionOfPost(post)} />
              </li>
            ))}
            {shown.length === 0 && (nextCursor === null || keptBy !== undefined) && (
              <li>
                <Muted>{keptBy === undefined ? texts.details.unused : sentence(keptBy)}</Muted>
              </li>
            )}
            {nextCursor !== null && (keptBy === undefined || shown.length > 0) && (
              <li>
                <Muted>{texts.details.moreUses}</Muted>
              </li>
            )}
          </Stack>
        );
      }}
    </Reading>
  );
}

interface DeleteDialogProps {
  media: readonly MediaView[];
  onDeleted: (ids: ReadonlySet<string>) => void;
  onClose: () => void;
}

interface Progress {
  readonly done: number;
  /** Files that posts still need, with the reasons. */
  readonly kept: readonly { readonly file: MediaView; readonly reason: string }[];
  readonly isOver: boolean;
  readonly error: Error | null;
}

/** Asks before files are deleted, and names those that posts still need, with the posts. */
export function DeleteDialog({ media, onDeleted, onClose }: DeleteDialogProps) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  /** Also by earlier attempts. */
  const [deleted] = useState(() => new Set<string>());
  const [first] = media;
  const run = async () => {
    const workspaceId = workspaceChoice.current();
    const kept: Progress['kept'][number][] = [];
    let error: Error | null = null;
    const tell = (isOver: boolean) =>
      setProgress({ done: deleted.size + kept.length, kept: [...kept], isOver, error });
    tell(false);
    for (const file of media.filter(({ id }) => !deleted.has(id))) {
      try {
        const path = { id: file.id };
        await call<typeof deleteMediaOperation>('DELETE', '/v1/media/{id}', { path }, { workspaceId });
        deleted.add(file.id);
      } catch (failure) {
        const { status, message } = failure instanceof ApiError ? failure : { status: 0, message: '' };
        if (status === 409) kept.push({ file, reason: message });
        // Somebody else has deleted it meanwhile.
        else if (status === 404) deleted.add(file.id);
        else {
          error = failure as Error;
          break;
        }
      }
      tell(false);
    }
    onDeleted(deleted);
    await client.invalidateQueries({
      predicate: ({ queryKey }) => ['/v1/media', '/v1/workspace'].includes(String(queryKey[1])),
    });
    if (kept.length > 0 || error !== null) return tell(true);
    toast({ text: texts.remove.done(deleted.size), tone: 'good' });
    onClose();
  };
  const isRunning = progress !== undefined && !progress.isOver;
  const { kept = [], error = null, isOver = false } = progress ?? {};
  if (isOver && error === null)
    return (
      <Dialog title={texts.remove.keptTitle(kept.length)} isOpen size="medium" onClose={onClose}>
        <DialogBody>
          <Stack>
            <p>{texts.remove.keptText}</p>
            {deleted.size > 0 && <Muted>{texts.remove.done(deleted.size)}</Muted>}
            <Stack as="ul" gap={3}>
              {kept.map(({ file, reason }) => (
                <li key={file.id}>
                  <p className={classes.file}>{file.filename}</p>
                  <Uses mediaId={file.id} keptBy={reason} />
                </li>
              ))}
            </Stack>
          </Stack>
        </DialogBody>
        <DialogActions>
          <Button variant="primary" onPress={onClose}>
            {texts.remove.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog
      title={texts.remove.title(media.length)}
      isOpen
      role="alertdialog"
      mustDecide={isRunning}
      onClose={onClose}
    >
      <DialogBody>
        <Stack gap={3}>
          <p className={classes.file}>{texts.remove.text(first?.filename ?? '', media.length - 1)}</p>
          <p>{texts.remove.drafts}</p>
          {isRunning && <p role="status">{texts.remove.deleting(progress.done, media.length)}</p>}
          {error && <ErrorNotice error={error} />}
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} isDisabled={isRunning} autoFocus>
          {words.shared.actions.cancel}
        </Button>
        <Button variant="danger" isDisabled={isRunning} onPress={() => void run()}>
          {texts.remove.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
