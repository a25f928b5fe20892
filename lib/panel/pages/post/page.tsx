import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { readPostOperation, readTimelineOperation } from '../../../posts/operations.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { isNotFound } from '../../api/api-error.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { CopiedCode } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Facts } from '../../components/layout.tsx';
import { Link } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { FileList } from '../../posts/files.tsx';
import { excerptOf, isNearDue, type Post, refreshEveryMs } from '../../posts/post.ts';
import { PostState } from '../../posts/post-parts.tsx';
import { conditionOfPost } from '../../posts/state.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { Actions } from './actions.tsx';
import { ApprovalSection } from './approval.tsx';
import { ChainSection } from './chain-section.tsx';
import classes from './post.module.css';
import { TargetsSection } from './target-cards.tsx';
import { TimelineSection } from './timeline.tsx';

const settledEveryMs = 60_000;

const ResultsSection = lazy(async () => ({
  default: (await import('./results-section.tsx')).ResultsSection,
}));

const PostTags = lazy(() => import('../../posts/post-tags.tsx'));

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
        <div className={classes.lead}>
          <PostState condition={conditionOfPost(post, { accounts, now })} />
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
      {post.approval && <ApprovalSection post={post} approval={post.approval} accounts={accounts} />}
      <Suspense>
        <PostTags post={post} />
      </Suspense>
      {/* What waits for approval is shown whole, with the decision. */}
      {post.approval?.state !== 'waiting' && <ContentCard post={post} title={title} />}
      <TargetsSection post={post} timeline={timeline.data?.timeline} accounts={accounts} now={now} />
      {post.platforms.some(({ publishedAt }) => publishedAt !== null) && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <ResultsSection postId={post.id} accounts={accounts} />
        </Suspense>
      )}
      <TimelineSection post={post} timeline={timeline} accounts={accounts} />
      {post.chain.length > 0 && post.approval?.state !== 'waiting' && (
        <ChainSection post={post} accounts={accounts} />
      )}
      <Details post={post} />
    </Page>
  );
}

const texts = words.postPage.content;
const shownFiles = 8;

/** The text and the files of the post. Nothing if the title of the page has all of it. */
function ContentCard({ post, title }: { post: Post; title: string }) {
  const { content, mediaItems } = post;
  const hasWords = content.trim() !== '' && content.trim() !== title;
  if (!hasWords && mediaItems.length === 0) return null;
  return (
    <section aria-label={texts.title} className={classes.content}>
      {hasWords && (
        <div className={classes.contentText}>
          <Words content={content} />
        </div>
      )}
      <FileList files={mediaItems} coverUrl={post.coverUrl} most={shownFiles} />
    </section>
  );
}

/** Facts of the post: its times, its ids, and the post that it follows. */
function Details({ post }: { post: Post }) {
  const { id, createdAt, updatedAt, externalId, parentPostId, onQuota, metadata } = post;
  return (
    <Section title={texts.facts} isCard>
      <Facts
        of={{
          [texts.created]: <Time at={createdAt} />,
          [texts.changed]: updatedAt !== createdAt && <Time at={updatedAt} />,
          [texts.onQuota]: onQuota === 'fail' && texts.onQuotaFail,
          [texts.parent]: parentPostId !== null && (
            <Link to="/posts/$id" params={{ id: parentPostId }}>
              {texts.openParent}
            </Link>
          ),
          [texts.id]: <CopiedCode text={id} label={words.postPage.actions.copyId} />,
          [texts.externalId]: externalId !== null && (
            <CopiedCode text={externalId} label={texts.copyExternalId} />
          ),
        }}
      />
      {Object.keys(metadata).length > 0 && <Facts of={metadata} />}
    </Section>
  );
}

/** Long texts are cut, and shown whole on request. */
function Words({ content }: { content: string }) {
  const [isAll, setAll] = useState(false);
  const [isCut, setCut] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be longer
  useEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = text.current ?? {};
    setCut(scrollHeight > clientHeight + 1);
  }, [content]);
  return (
    <>
      <p ref={text} dir="auto" className={join(classes.contentWords, !isAll && classes.cut)}>
        {content}
      </p>
      {(isCut || isAll) && (
        <div>
          <Button size="small" onPress={() => setAll(!isAll)}>
            {isAll ? texts.showLess : texts.showAll}
          </Button>
        </div>
      )}
    </>
  );
}
