import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { CurlDialog } from '../../components/curl-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Menu } from '../../components/menu.tsx';
import type { MenuAction } from '../../components/menu-action.ts';
import { toast } from '../../components/toast-list.ts';
import { useCurl } from '../../curl.ts';
import { isUndecided } from '../../posts/approval.ts';
import { PublishNowDialog, RemoveDialog } from '../../posts/confirm-dialogs.tsx';
import { copyFailure, useDuplicate } from '../../posts/duplicate.ts';
import { canEdit, canRemove, type Post } from '../../posts/post.ts';
import { failedTargets } from '../../posts/remedy.ts';
import { retryFailure, useRetry } from '../../posts/retry.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import classes from './post.module.css';
import { canTakeDown } from './targets.ts';

const texts = words.postPage.actions;

const TakeDownDialog = lazy(async () => ({
  default: (await import('./take-down-dialog.tsx')).TakeDownDialog,
}));

interface ActionsProps {
  post: Post;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** The actions that the post allows now. */
export function Actions({ post, accounts }: ActionsProps) {
  const navigate = useNavigate();
  const curl = useCurl();
  const [open, setOpen] = useState<'remove' | 'publish' | 'take down' | 'curl'>();
  const retry = useRetry(post);
  const duplicate = useDuplicate();
  const failed = failedTargets(post);
  const edit = () => void navigate({ to: '/posts/$id/edit', params: { id: post.id } });
  const isEditable = post.editable;
  const isWaiting = canEdit(post);
  useCommands([
    ...(isEditable
      ? [{ name: words.post.edit, icon: 'pencil' as const, group: 'page' as const, keys: 'e', run: edit }]
      : []),
    { name: words.post.duplicate, icon: 'copy', group: 'page', run: () => duplicate.start(post) },
  ]);
  const actions: MenuAction[] = [
    // What waits for approval is decided where all of it is shown.
    ...(isWaiting && post.platforms.length > 0 && !isUndecided(post)
      ? [{ id: 'publish', name: texts.publishNow, icon: 'arrow' as const, run: () => setOpen('publish') }]
      : []),
    { id: 'duplicate', name: words.post.duplicate, icon: 'copy', run: () => duplicate.start(post) },
    ...automationsOf(post, accounts),
    { id: 'id', name: texts.copyId, icon: 'key', run: () => void copyId(post.id) },
    { id: 'curl', name: texts.curl, icon: 'developers', run: () => setOpen('curl') },
    ...(post.platforms.some(canTakeDown)
      ? [
          {
            id: 'take-down',
            name: words.postPage.takeDown.open,
            icon: 'trash' as const,
            isDangerous: true,
            run: () => setOpen('take down'),
          },
        ]
      : []),
    ...(canRemove(post)
      ? [
          {
            id: 'remove',
            name: words.post.remove.open,
            icon: 'trash' as const,
            isDangerous: true,
            run: () => setOpen('remove'),
          },
        ]
      : []),
  ];
  const error = retry.error ?? duplicate.failed?.error;
  return (
    <>
      {isEditable && (
        <ButtonLink to="/posts/$id/edit" params={{ id: post.id }} variant="primary" icon="pencil">
          {words.post.edit}
        </ButtonLink>
      )}
      {failed.length > 0 && !retry.isBegun && (
        <Button
          variant={isEditable ? 'secondary' : 'primary'}
          icon="refresh"
          isPending={retry.isPending}
          onPress={retry.start}
        >
          {words.postPage.retryAll.action(failed.length)}
        </Button>
      )}
      <Menu trigger={<IconButton icon="dots" label={texts.more} />} label={texts.more} actions={actions} />
      {error && (
        <div className={classes.actionError}>
          <ErrorNotice error={error} title={retry.error ? retryFailure(error) : copyFailure(error)} />
        </div>
      )}
      {retry.dialog}
      <PublishNowDialog post={post} isOpen={open === 'publish'} onClose={() => setOpen(undefined)} />
      <RemoveDialog
        post={post}
        isOpen={open === 'remove'}
        onClose={() => setOpen(undefined)}
        onRemoved={() => void navigate({ to: '/calendar' })}
      />
      {open === 'take down' && (
        <Suspense>
          <TakeDownDialog post={post} accounts={accounts} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
      {open === 'curl' && (
        <CurlDialog
          command={
            failed.length > 0
              ? curl({ method: 'POST', path: `/v1/posts/${post.id}/retry` })
              : curl({ path: `/v1/posts/${post.id}` })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const copyId = (id: string) =>
  navigator.clipboard.writeText(id).then(
    () => toast({ text: texts.copied }),
    () => toast({ text: texts.notCopied, tone: 'bad' }),
  );

/** Comments on live posts of Instagram can be answered automatically. */
function automationsOf(post: Post, accounts: ActionsProps['accounts']): MenuAction[] {
  const live = post.platforms.find(
    ({ platform, status, platformPostId, accountId, removedAt }) =>
      platform === 'instagram' &&
      (status === 'published' || status === 'partial') &&
      platformPostId !== null &&
      !removedAt &&
      accounts?.has(accountId) === true,
  );
  if (live === undefined) return [];
  const search = new URLSearchParams({ account: live.accountId, post: JSON.stringify(live.platformPostId) });
  return [
    { id: 'automation', name: texts.automation, icon: 'automations', href: `/automations/new?${search}` },
  ];
}
