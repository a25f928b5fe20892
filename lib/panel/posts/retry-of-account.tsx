import type { listPostsOperation } from '../../posts/operations.ts';
import { type Account, nameOf } from '../accounts/account.ts';
import { useAccountsById } from '../accounts/use-accounts.ts';
import { usePages } from '../api/hooks.ts';
import { Notice } from '../components/notice.tsx';
import { words } from '../words/words.ts';
import type { ListedPost } from './post.ts';
import { PostLink } from './post-parts.tsx';
import classes from './reason.module.css';
import { failedTargets, remedyOfTarget } from './remedy.ts';
import { RetryAllButton, RetryAllResult, useRetryAll } from './retry-all.tsx';

const texts = words.reasons.together;
const shownPosts = 5;

/**
 * The posts that failed while an account had no access, and that a retry brings on their way now that it has: all of them with one
 * button. Nothing if there are none.
 */
export function RetryOfAccount({ account }: { account: Account }) {
  const accounts = useAccountsById();
  const read = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { attention: 'true', accountId: account.id, limit: '50' },
  });
  const retrying = useRetryAll();
  const posts = (read.data?.pages.flatMap((page) => page.posts) ?? []).filter((post) =>
    isHelped(post, account, accounts),
  );
  if (posts.length === 0 && retrying.progress === undefined && retrying.refused === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={texts.worksAgain(nameOf(account))}
      actions={<RetryAllButton posts={posts} retrying={retrying} size="small" />}
    >
      {posts.length > 0 && <p>{texts.stoppedBefore(posts.length)}</p>}
      <ul className={classes.posts}>
        {posts.slice(0, shownPosts).map((post) => (
          <li key={post.id}>
            <PostLink post={post} characters={60} />
          </li>
        ))}
      </ul>
      {posts.length > shownPosts && <p>{texts.more(posts.length - shownPosts)}</p>}
      <RetryAllResult retrying={retrying} />
    </Notice>
  );
}

/** Returns true if a retry is all that the post needs, and access to the account was what it lacked. */
function isHelped(post: ListedPost, { id }: Account, accounts: ReturnType<typeof useAccountsById>): boolean {
  const failed = failedTargets(post);
  const now = Date.now();
  return (
    failed.some(({ accountId, errorDetail }) => accountId === id && errorDetail?.category === 'reconnect') &&
    failed.every((target) => remedyOfTarget(target, accounts, now) === 'retry')
  );
}
