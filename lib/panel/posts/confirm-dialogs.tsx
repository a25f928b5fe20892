import type { removePostOperation } from '../../posts/operations.ts';
import type { editPostOperation } from '../../posts/request/operations.ts';
import { isNotFound } from '../api/api-error.ts';
import { useSend } from '../api/hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import { excerptOf, type ListedPost, postPaths } from './post.ts';

interface DialogProps {
  post: ListedPost;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a post is published at once. */
export function PublishNowDialog({ post, isOpen, onClose }: DialogProps) {
  const { mutate, isPending, error, reset } = useSend<typeof editPostOperation>(
    'PATCH',
    '/v1/posts/{id}',
    postPaths,
  );
  const close = () => {
    reset();
    onClose();
  };
  const publish = () =>
    mutate(
      { path: { id: post.id }, body: { publishNow: true } },
      {
        onSuccess: () => {
          toast({ text: words.postPage.publishNow.begun });
          close();
        },
      },
    );
  return (
    <ConfirmDialog
      title={words.postPage.publishNow.title}
      action={words.postPage.publishNow.action}
      isOpen={isOpen}
      isPending={isPending}
      error={error}
      onConfirm={publish}
      onClose={close}
    >
      <p>{words.postPage.publishNow.text(post.platforms.length)}</p>
      {post.scheduledFor !== null && <p>{words.postPage.publishNow.instead}</p>}
    </ConfirmDialog>
  );
}

const removeTexts = words.post.remove;
/** Not the post itself, which is gone. */
const changed = ['/v1/posts'];

interface RemoveDialogProps {
  post: ListedPost;
  isOpen: boolean;
  onClose: () => void;
  onRemoved?: (() => void) | undefined;
}

/** Asks before a post is deleted, and says what that means. */
export function RemoveDialog({ post, isOpen, onClose, onRemoved }: RemoveDialogProps) {
  const { mutate, isPending, error, reset } = useSend<typeof removePostOperation>(
    'DELETE',
    '/v1/posts/{id}',
    changed,
  );
  const close = () => {
    reset();
    onClose();
  };
  const finish = () => {
    toast({ text: removeTexts.done });
    close();
    onRemoved?.();
  };
  const remove = () =>
    mutate(
      { path: { id: post.id } },
      {
        onSuccess: finish,
        // Gone already, such as after a request whose reply was lost.
        onError: (failure) => {
          if (isNotFound(failure)) finish();
        },
      },
    );
  const waiting = post.chain.filter(({ status }) => status === 'waiting' || status === 'skipped').length;
  return (
    <ConfirmDialog
      title={removeTexts.title}
      action={removeTexts.action}
      isOpen={isOpen}
      isPending={isPending}
      error={error}
      onConfirm={remove}
      onClose={close}
    >
      <p>
        <q>
          <bdi>{excerptOf(post) ?? words.post.noText}</bdi>
        </q>
      </p>
      <p>{post.status === 'scheduled' ? removeTexts.scheduled : removeTexts.text}</p>
      {waiting > 0 && <p>{removeTexts.chain(waiting)}</p>}
      <p>{removeTexts.files}</p>
    </ConfirmDialog>
  );
}
