import type { removePostOperation } from '../../posts/operations.ts';
import { isNotFound } from '../api/api-error.ts';
import { useSend } from '../api/hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import type { ListedPost } from './post.ts';
import { excerptOf } from './post.ts';

const texts = words.post.remove;
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
    toast({ text: texts.done });
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
      title={texts.title}
      action={texts.action}
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
      <p>{post.status === 'scheduled' ? texts.scheduled : texts.text}</p>
      {waiting > 0 && <p>{texts.chain(waiting)}</p>}
      <p>{texts.files}</p>
    </ConfirmDialog>
  );
}
