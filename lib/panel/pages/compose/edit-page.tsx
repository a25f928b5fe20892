import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { readPostOperation } from '../../../posts/operations.ts';
import type { editPostOperation } from '../../../posts/request/operations.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Clipped } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { toast } from '../../components/toast-list.ts';
import { isUndecided } from '../../posts/approval.ts';
import type { Post, Target } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { isRefusal, useRefused } from './check.tsx';
import classes from './composer.module.css';
import { Composer } from './composer.tsx';
import type { Draft, KeptPost } from './draft/draft.ts';
import { fromPost, inZone } from './draft/from-post.ts';
import { isSameDraft, type Part, rebase } from './draft/rebase.ts';
import { changesOf, type Intent } from './draft/to-request.ts';
import { type KeptDraft, useKeptDraft, useKeptPosts } from './kept-draft.ts';
import { handOverUploads, postPaths, useCopyAsNew, useDone } from './sending.ts';

/** A stored post, as long as it can be changed. */
export function EditPostPage() {
  const { id } = useParams({ from: '/shell/posts/$id/edit' });
  const { name } = useWorkspace();
  const accounts = useAccounts();
  const post = useGet<typeof readPostOperation>('/v1/posts/{id}', { path: { id } });
  const failed = [post, accounts].find(({ data, isError }) => data === undefined && isError);
  return (
    <Page
      title={words.composer.editTitle}
      of={name}
      back={
        <Link to="/posts/$id" params={{ id }}>
          {words.composer.backToPost}
        </Link>
      }
    >
      {failed?.error ? (
        <ErrorState
          error={failed.error}
          onRetry={() => void failed.refetch()}
          isRetrying={failed.isFetching}
        />
      ) : post.data && accounts.data ? (
        <EditPost key={id} post={post.data.post} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  );
}

const texts = words.composer.edit;

function EditPost({ post }: { post: Post }) {
  const drafts = useKeptPosts();
  const accounts = useAccountsById() ?? new Map();
  const { timezone } = useWorkspace();
  const [start] = useState(() => startOf(post, drafts.get(post.id, Date.now()), timezone));
  const [stored, setStored] = useState(start.stored);
  const [meanwhile, setMeanwhile] = useState<readonly Part[] | undefined>(start.conflicts);
  const [isRestored, setIsRestored] = useState(start.editedAt > 0);
  const version = post.approval?.version ?? 0;
  const [seen, setSeen] = useState(version);
  const kept = useKeptDraft({ draft: start.draft, editedAt: start.editedAt }, stored);
  const { draft, latest, act } = kept;
  const [intent, setIntent] = useState<Intent>();
  const edit = useSend<typeof editPostOperation>('PATCH', '/v1/posts/{id}', postPaths);
  const done = useDone();
  const refused = useRefused(edit.error, draft);
  const isDraft = post.status === 'draft';
  /** True if whoever proposes the draft has changed it since the person has looked at it: sending it approves it. */
  const isUnseen = isUndecided(post) && version > seen;

  useEffect(() => {
    const theirs = fromPost(post, timezone);
    if (isSameDraft(theirs, stored)) return;
    // The workspace may have another zone meanwhile, too.
    const { draft: merged, conflicts } = rebase(inZone(stored, timezone), inZone(draft, timezone), theirs);
    if (isSameDraft(inZone(stored, timezone), theirs)) {
      setStored(theirs);
      return act({ do: 'replace', draft: merged });
    }
    setStored(theirs);
    act({ do: 'replace', draft: merged });
    setMeanwhile(conflicts);
  }, [post, timezone, stored, draft, act]);

  const busy = post.platforms.find(({ status }) => status !== 'draft' && status !== 'scheduled');
  if (busy !== undefined && !post.editable)
    return <ReadOnlyPost post={post} status={busy.status} changes={changesIn(kept, stored)} />;

  const send = (intent: Intent) => {
    if (intent === 'send' && isUnseen) return toast({ text: words.proposals.changed, tone: 'neutral' });
    setIntent(intent);
    const body = changesOf({ draft: stored, isDraft }, draft, intent);
    if (body === undefined) return toast({ text: words.composer.done.unchanged, tone: 'neutral' });
    // Whoever schedules what waits for approval approves what this page shows.
    const ifVersion = intent === 'send' && isUndecided(post) ? seen : undefined;
    edit.mutate(
      { path: { id: post.id }, body: { ...body, ...(ifVersion !== undefined && { ifVersion }) } },
      {
        onSuccess: (reply) => {
          const saved = fromPost(reply.post, timezone);
          setStored(saved);
          setSeen(reply.post.approval?.version ?? 0);
          handOverUploads(draft, saved);
          // What was typed while it was sent is not in it, and stays an unsaved change.
          const { draft: typed } = rebase(draft, latest(), saved);
          const isAll = isSameDraft(draft, latest());
          act({ do: 'replace', draft: isAll ? saved : typed });
          setMeanwhile(undefined);
          setIsRestored(false);
          if (intent === 'keep') return toast({ text: words.composer.done.draft });
          const said = isDraft ? words.composer.done.scheduled : words.composer.done.changed;
          done(
            reply.post,
            intent,
            draft.when.kind === 'now' ? words.composer.done.publishing : said,
            reply.warnings.length,
          );
        },
      },
    );
  };
  const discard = () => {
    act({ do: 'replace', draft: stored });
    setMeanwhile(undefined);
    setIsRestored(false);
    toast({ text: words.composer.unfinished.discardedChanges, tone: 'neutral' });
  };
  const isChanged = !isSameDraft(stored, draft);
  return (
    <Composer
      kept={kept}
      accounts={accounts}
      isNew={false}
      keepLabel={isDraft ? words.composer.bar.saveDraft : words.composer.bar.makeDraft}
      sendLabel={sendLabelOf(draft, isDraft)}
      pending={edit.isPending ? intent : undefined}
      error={isRefusal(edit.error) ? null : edit.error}
      errorTitle={words.composer.failed.edit}
      refused={refused}
      onSend={send}
    >
      {kept.isElsewhere && <Notice tone="info">{words.composer.elsewhere.open}</Notice>}
      {isRestored && isChanged && (
        <Notice
          tone="info"
          actions={
            <Button size="small" onPress={discard}>
              {words.composer.unfinished.discardChanges}
            </Button>
          }
        >
          {words.composer.unfinished.restored}
        </Notice>
      )}
      {isUnseen && (
        <Notice
          tone="warn"
          isLive
          actions={
            <Button size="small" onPress={() => setSeen(version)}>
              {words.proposals.seen}
            </Button>
          }
        >
          {words.proposals.changed}
        </Notice>
      )}
      {meanwhile !== undefined && (
        <Notice
          tone={meanwhile.length > 0 ? 'warn' : 'info'}
          isLive
          actions={
            meanwhile.length > 0 && (
              <Button size="small" onPress={discard}>
                {texts.takeTheirs}
              </Button>
            )
          }
        >
          {texts.changedMeanwhile}{' '}
          {meanwhile.length > 0 &&
            texts.conflict(words.composer.list([...new Set(meanwhile.map((part) => texts.parts[part]))]))}
        </Notice>
      )}
    </Composer>
  );
}

interface Start {
  /** The post as it is stored. */
  stored: Draft;
  /** The same with the changes that this browser has kept. */
  draft: Draft;
  editedAt: number;
  conflicts: readonly Part[] | undefined;
}

function startOf(post: Post, found: KeptPost | undefined, timezone: string): Start {
  const stored = fromPost(post, timezone);
  if (found?.before === undefined) return { stored, draft: stored, editedAt: 0, conflicts: undefined };
  const before = inZone(found.before, timezone);
  const { draft, conflicts } = rebase(before, inZone(found.draft, timezone), stored);
  const isSamePost = isSameDraft(before, stored);
  return { stored, draft, editedAt: found.editedAt, conflicts: isSamePost ? undefined : conflicts };
}

const changesIn = ({ draft, finish }: KeptDraft, stored: Draft) =>
  isSameDraft(draft, stored) ? undefined : { draft, finish };

function sendLabelOf({ when }: Draft, isDraft: boolean): string {
  if (when.kind === 'now') return words.composer.bar.publish;
  if (when.kind === 'slot') return words.composer.bar.scheduleSlot;
  return isDraft ? words.composer.bar.schedule : words.composer.bar.saveChanges;
}

interface ReadOnlyPostProps {
  post: Post;
  status: Target['status'];
  changes: { draft: Draft; finish: () => void } | undefined;
}

/** A post that can no longer be changed: why, and what becomes of what was typed. */
function ReadOnlyPost({ post, status, changes }: ReadOnlyPostProps) {
  const copyAsNew = useCopyAsNew();
  return (
    <div className={classes.composer}>
      <Notice
        tone="warn"
        title={texts.readOnlyTitle}
        actions={
          <ButtonLink size="small" to="/posts/$id" params={{ id: post.id }}>
            {texts.toPost}
          </ButtonLink>
        }
      >
        {texts.readOnly[status]}
      </Notice>
      {changes !== undefined && (
        <Notice
          tone="info"
          actions={
            <Button
              size="small"
              onPress={() => {
                changes.finish();
                copyAsNew(changes.draft);
              }}
            >
              {texts.copyAsNew}
            </Button>
          }
        >
          {texts.hasChanges}
          <Clipped as="p" lines={3}>
            {changes.draft.content}
          </Clipped>
        </Notice>
      )}
    </div>
  );
}
