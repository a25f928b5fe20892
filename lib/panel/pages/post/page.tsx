import { useParams } from '@tanstack/react-router';
import type { readPostOperation, readTimelineOperation } from '../../../posts/operations.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Link } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { isNearDue, refreshEveryMs } from '../../posts/near.ts';
import { conditionOfPost, excerptOf, type Post } from '../../posts/post.ts';
import { PostState } from '../../posts/post-state.tsx';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { Actions } from './actions.tsx';
import { ChainSection } from './chain-section.tsx';
import { ContentCard, Details } from './content-section.tsx';
import classes from './page.module.css';
import { TargetsSection } from './targets-section.tsx';
import { TimelineSection } from './timeline-section.tsx';

const settledEveryMs = 60_000;

/** One post: what became of it at each destination, why, and what helps. */
export function PostPage() {
  const { id } = useParams({ from: '/shell/posts/$id' });
  const read = useGet<typeof readPostOperation>(
    '/v1/posts/{id}',
    { path: { id } },
    { refetchEveryMs: (reply) => refreshEveryMs(reply && [reply.post], Date.now()) },
  );
  const post = read.data?.post;
  // It was deleted while this page showed it.
  const isGone = read.isError && isNotFound(read.error);
  if (post !== undefined && !isGone)
    return <PostDetails key={id} post={post} error={read.isError ? read.error : null} />;
  return (
    <Page title={words.postPage.title} back={<Back />} width="medium">
      {read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
      ) : (
        <>
          <Skeleton kind="card" rows={1} />
          <Skeleton rows={4} />
        </>
      )}
    </Page>
  );
}

const Back = () => <Link to="/calendar">{words.postPage.back}</Link>;

const titleCharacters = 60;

function PostDetails({ post, error }: { post: Post; error: Error | null }) {
  const { name } = useWorkspace();
  const accounts = useAccountsById();
  const now = Date.now();
  const title = excerptOf(post, titleCharacters) ?? words.post.noText;
  const isNear = isNearDue(post, now);
  const timeline = useGet<typeof readTimelineOperation>(
    '/v1/posts/{id}/timeline',
    { path: { id: post.id } },
    { refetchEveryMs: isNear ? refreshEveryMs([post], now) : settledEveryMs },
  );
  return (
    <Page
      title={title}
      of={name}
      back={<Back />}
      width="medium"
      lead={
        <div className={classes['lead']}>
          <PostState condition={conditionOfPost(post)} />
          {post.scheduledFor === null ? (
            <span>{words.postPage.notPlanned}</span>
          ) : (
            <Time at={post.scheduledFor} isRelative isInline />
          )}
        </div>
      }
      actions={<Actions post={post} accounts={accounts} />}
    >
      {error && <ErrorNotice error={error} title={words.postPage.stale} />}
      <ContentCard post={post} title={title} />
      <TargetsSection post={post} accounts={accounts} now={now} />
      <TimelineSection post={post} timeline={timeline} accounts={accounts} now={now} />
      {post.chain.length > 0 && <ChainSection post={post} accounts={accounts} />}
      <Details post={post} />
    </Page>
  );
}
