import { type ReactNode, useCallback, useRef } from 'react';
import { nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { ExternalLink, Link } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration } from '../../duration.ts';
import { conditionOfTarget, type Post, type Target, timeOf } from '../../posts/post.ts';
import { PostState } from '../../posts/post-state.tsx';
import { remedyOfTarget } from '../../posts/remedy.ts';
import { riskOf } from '../../posts/risk.ts';
import { words } from '../../words/words.ts';
import { PreciseTime } from './precise-time.tsx';
import classes from './target-card.module.css';
import { Danger, type TargetFacts, Trouble } from './target-trouble.tsx';
import { firstCommentOf } from './targets.ts';

const texts = words.postPage.targets;

/** One destination: its state, its times, what the platform said, and what helps. */
export function TargetCard({ target, post, account, accounts, now }: TargetFacts) {
  const { platform, accountId, status, permalink, platformPostId } = target;
  const remedy = remedyOfTarget(target, accounts, now);
  const title = platformTitles[platform];
  const at = timeOf(target, post);
  const risk = at === null ? undefined : riskOf(target, at, accounts, now);
  const isLive = status === 'published' || status === 'partial';
  const name = useRef<HTMLHeadingElement>(null);
  const successor = useCallback(() => name.current, []);
  const canAnswer = isLive && platform === 'instagram' && platformPostId !== null && account !== undefined;
  return (
    <li className={classes['target']}>
      <header className={classes['head']}>
        <PlatformMark platform={platform} />
        <div className={classes['names']}>
          <h3 ref={name} tabIndex={-1} className={classes['name']}>
            {account ? (
              <Link to="/accounts/$id" params={{ id: accountId }}>
                <bdi>{nameOf(account)}</bdi>
              </Link>
            ) : (
              words.account.disconnected
            )}
          </h3>
          <span className={classes['minor']}>{title}</span>
        </div>
        <div className={classes['state']}>
          <PostState condition={conditionOfTarget(target)} />
        </div>
      </header>
      {target.error !== null && (
        <Trouble
          target={target}
          post={post}
          account={account}
          accounts={accounts}
          remedy={remedy}
          now={now}
          successor={successor}
        />
      )}
      {target.error === null && risk !== undefined && (
        <Danger risk={risk} account={account} platform={platform} />
      )}
      <Times target={target} post={post} />
      <Own target={target} />
      {(permalink !== null || isLive) && (
        <footer className={classes['links']}>
          {permalink !== null && isWeb(permalink) ? (
            <ExternalLink href={permalink}>{texts.open(title)}</ExternalLink>
          ) : (
            isLive && <span className={classes['minor']}>{texts.noPermalink(title)}</span>
          )}
          {canAnswer && (
            <Link to="/automations/new" search={{ account: accountId, post: platformPostId }}>
              {texts.automation}
            </Link>
          )}
        </footer>
      )}
    </li>
  );
}

const isWeb = (url: string): boolean => /^https?:\/\//.test(url);

function Times({ target, post }: { target: Target; post: Post }) {
  const { calledAt, liveAt, lateMs, afterRequestMs, scheduledFor } = target.timing;
  const planned = scheduledFor ?? timeOf(target, post);
  // The head of the page says it already.
  if (planned === null || (calledAt === null && planned === post.scheduledFor)) return null;
  return (
    <dl className={classes['times']}>
      <Fact title={texts.planned}>
        {calledAt === null ? <Time at={planned} /> : <PreciseTime at={planned} />}
      </Fact>
      {calledAt !== null && (
        <Fact title={texts.called}>
          <PreciseTime at={calledAt} />
        </Fact>
      )}
      {liveAt !== null && (
        <Fact title={texts.live}>
          <PreciseTime at={liveAt} />
        </Fact>
      )}
      {lateMs !== null && (
        <Fact title={texts.lateness}>
          <span className={classes['lateness']}>{lateMs === 0 ? texts.onTime : formatDuration(lateMs)}</span>
        </Fact>
      )}
      {afterRequestMs !== null && (
        <Fact title={texts.afterRequest}>
          <span className={classes['lateness']}>{formatDuration(afterRequestMs)}</span>
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** What this destination has instead of the post's, and its first comment. */
function Own({ target }: { target: Target }) {
  const { customContent, customMedia } = target;
  const comment = firstCommentOf(target);
  if (customContent === null && customMedia === null && comment === undefined) return null;
  return (
    <dl className={classes['own']}>
      {customContent !== null && (
        <div>
          <dt>{texts.ownText}</dt>
          <dd dir="auto" className={classes['clamped']}>
            {customContent}
          </dd>
        </div>
      )}
      {customMedia !== null && (
        <div>
          <dt>{texts.ownMedia}</dt>
          <dd>{words.postPage.chain.media(customMedia.length)}</dd>
        </div>
      )}
      {comment && (
        <div>
          <dt>{texts.firstComment}</dt>
          <dd>
            <span dir="auto" className={classes['clamped']}>
              {comment.text}
            </span>
            <span className={classes['minor']}>{texts.firstComments[comment.state]}</span>
          </dd>
        </div>
      )}
    </dl>
  );
}
