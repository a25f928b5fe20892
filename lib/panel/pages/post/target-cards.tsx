import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink, ExternalLink, Link } from '../../components/link.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration } from '../../duration.ts';
import { copyFailure, useDuplicate } from '../../posts/duplicate.ts';
import { findingsOf, type Post, type Risk, riskOf, type Target, timeOf } from '../../posts/post.ts';
import { PostState, Reconnect } from '../../posts/post-parts.tsx';
import { Reason } from '../../posts/reason.tsx';
import { accountsToCorrect, placeToCheck, type Remedy, remedyOfTarget } from '../../posts/remedy.ts';
import { conditionOfTarget, lookOf } from '../../posts/state.ts';
import { formatPrecise, zoneName } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './post.module.css';
import { isConversionFailure, type Timeline, withFileNames } from './steps.ts';
import { countsOf, firstCommentOf, mostUrgentFirst } from './targets.ts';
import { isDoubtful, Verdict } from './verdict.tsx';

const texts = words.postPage.targets;
const shownAtFirst = 12;

/** Needed for few destinations. */
const adaptedFiles = loadable(() => import('./adapted-files.tsx'));

interface TargetsSectionProps {
  post: Post;
  /** `undefined` until it is read. */
  timeline: Timeline | undefined;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
}

/** The destinations of the post, with what became of it at each. */
export function TargetsSection({ post, timeline, accounts, now }: TargetsSectionProps) {
  const [isAll, setAll] = useState(false);
  const targets = mostUrgentFirst(post.platforms);
  const shown = isAll ? targets : targets.slice(0, shownAtFirst);
  return (
    <Section
      title={texts.title}
      lead={
        targets.length > 1
          ? countsOf(post, { accounts, now })
              .map(({ condition, number }) => texts.summary(number, lookOf(condition).word))
              .join(' · ')
          : undefined
      }
    >
      {targets.length === 0 && (
        <div className={classes.none}>
          <p>{texts.none}</p>
          <ButtonLink to="/posts/$id/edit" params={{ id: post.id }} size="small" icon="pencil">
            {texts.choose}
          </ButtonLink>
        </div>
      )}
      <ul className={join(targets.length > 0 && classes.targets)} aria-label={texts.title}>
        {shown.map((target) => (
          <TargetCard
            key={target.accountId}
            target={target}
            post={post}
            timeline={timeline}
            account={accounts?.get(target.accountId)}
            accounts={accounts}
            now={now}
          />
        ))}
      </ul>
      {shown.length < targets.length && (
        <div>
          <Button size="small" onPress={() => setAll(true)}>
            {texts.showAll(targets.length)}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** One destination: its state, its times, what the platform said, and what helps. */
function TargetCard(props: TargetFacts) {
  const { target, post, timeline, account, accounts, now } = props;
  const adapted = useLoaded(adaptedFiles, target.adaptations.length > 0);
  const { platform, accountId, status, permalink, platformPostId } = target;
  const remedy = remedyOfTarget(target, accounts, now);
  const title = platformTitles[platform];
  const at = timeOf(target, post);
  const risk = at === null ? undefined : riskOf(target, at, accounts, now);
  const isLive = status === 'published' || status === 'partial';
  const name = useRef<HTMLHeadingElement>(null);
  const isComing = ['draft', 'scheduled', 'publishing'].includes(status);
  const answered = platformPostId ?? (isComing ? `scheduled/${post.id}` : undefined);
  const canAnswer =
    platform === 'instagram' && answered !== undefined && account !== undefined && !target.removedAt;
  return (
    <li className={classes.target}>
      <header className={classes.head}>
        <PlatformMark platform={platform} />
        <div className={classes.names}>
          <h3 ref={name} tabIndex={-1} className={classes.name}>
            {account ? (
              <Link to="/accounts/$id" params={{ id: accountId }}>
                <bdi>{nameOf(account)}</bdi>
              </Link>
            ) : (
              words.account.disconnected
            )}
          </h3>
          <Muted as="span" size="m">
            {title}
          </Muted>
        </div>
        <div className={classes.state}>
          <PostState condition={conditionOfTarget(target, { accounts, now }, at)} />
        </div>
      </header>
      {target.error !== null && <Trouble {...props} remedy={remedy} successor={name} />}
      {target.error === null && risk !== undefined && (
        <Danger risk={risk} account={account} platform={platform} />
      )}
      {risk === undefined && <Foreseen {...props} />}
      <Times target={target} post={post} />
      <Own target={target} />
      {adapted && <adapted.AdaptedFiles target={target} post={post} timeline={timeline} />}
      <Removal target={target} />
      <ThreadParts target={target} />
      {(permalink !== null || isLive || canAnswer) && (
        <Row as="footer" gap={4}>
          {permalink !== null && isWeb(permalink) ? (
            <ExternalLink href={permalink}>{texts.open(title)}</ExternalLink>
          ) : (
            isLive && (
              <Muted as="span" size="m">
                {texts.noPermalink(title)}
              </Muted>
            )
          )}
          {canAnswer && (
            <Link to="/automations/new" search={{ account: accountId, post: answered }}>
              {texts.automation}
            </Link>
          )}
        </Row>
      )}
    </li>
  );
}

/** Says what became of a request to take the destination down, or who has deleted its post. */
function Removal({ target: { removal, removedAt } }: { target: Target }) {
  if (removal === null) return null;
  const { state, by, error, errorDetail } = removal;
  const title =
    state === 'removed'
      ? removalTexts.removed[by]
      : state === 'failed'
        ? removalTexts.failed
        : removalTexts.requested;
  return (
    <Notice tone={state === 'failed' ? 'warn' : 'info'} title={title}>
      {error !== null && <p>{error}</p>}
      {state === 'failed' && <p>{removalTexts.tryAgain}</p>}
      {errorDetail?.retryAt && (
        <p>
          {texts.retryAt} <Time at={errorDetail.retryAt} isRelative isInline />
        </p>
      )}
      {removedAt !== null && (
        <p>
          {by === 'person' && removalTexts.noticed} <Time at={removedAt} isInline />
        </p>
      )}
    </Notice>
  );
}

/** The parts of a thread, with the addresses of those that are live. */
function ThreadParts({ target: { platform, threadParts, platformSpecificData } }: { target: Target }) {
  const { thread } = platformSpecificData as { readonly thread?: unknown };
  const count = Array.isArray(thread) ? thread.length + 1 : threadParts.length;
  if (count < 2) return null;
  return (
    <div>
      <h4 className={classes.adaptedTitle}>{texts.thread(threadParts.length, count)}</h4>
      <ol>
        {threadParts.map(({ platformPostId, permalink, publishedAt }, place) => (
          <li key={platformPostId ?? publishedAt}>
            {permalink !== null && isWeb(permalink) ? (
              <ExternalLink href={permalink}>{texts.threadPart(place + 1)}</ExternalLink>
            ) : (
              texts.noPermalink(platformTitles[platform])
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const removalTexts = words.postPage.removal;

const isWeb = (url: string): boolean => /^https?:\/\//.test(url);

function Times({ target, post }: { target: Target; post: Post }) {
  const { calledAt, liveAt, lateMs, afterRequestMs, scheduledFor } = target.timing;
  const planned = scheduledFor ?? timeOf(target, post);
  // The head of the page says it already.
  if (planned === null || (calledAt === null && planned === post.scheduledFor)) return null;
  return (
    <dl className={classes.times}>
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
          <span className={classes.lateness}>{lateMs === 0 ? texts.onTime : formatDuration(lateMs)}</span>
        </Fact>
      )}
      {afterRequestMs !== null && (
        <Fact title={texts.afterRequest}>
          <span className={classes.lateness}>{formatDuration(afterRequestMs)}</span>
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

/** The text and files that a destination has instead of the post's, and its first comment. */
function Own({ target }: { target: Target }) {
  const { customContent, customMedia } = target;
  const comment = firstCommentOf(target);
  if (customContent === null && customMedia === null && comment === undefined) return null;
  return (
    <dl className={classes.own}>
      {customContent !== null && (
        <div>
          <dt>{texts.ownText}</dt>
          <dd dir="auto" className={classes.clamped}>
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
            <span dir="auto" className={classes.clamped}>
              {comment.text}
            </span>
            <Muted as="span" size="m">
              {texts.firstComments[comment.state]}
            </Muted>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A destination, and what has to be known to say what helps it. */
interface TargetFacts {
  target: Target;
  post: Post;
  timeline: Timeline | undefined;
  account: Account | undefined;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
}

interface TroubleProps extends TargetFacts {
  remedy: Remedy;
  successor: RefObject<HTMLElement | null>;
}

/** A failure, and its remedy. */
function Trouble(props: TroubleProps) {
  const { target, post, account, remedy } = props;
  const { errorDetail, status } = target;
  const retryAt = errorDetail?.retryAt ?? null;
  const isBad = status === 'failed';
  return (
    <div className={join(classes.trouble, isBad ? classes.bad : classes.warn)}>
      <Reason target={target} remedy={remedy} edit={withFileNames} />
      {retryAt !== null && (
        <p className={classes.said}>
          {texts.retryAt} <Time at={retryAt} isRelative isInline />
        </p>
      )}
      <p>
        <strong>{texts.whatToDo}: </strong>
        {remedyText(remedy, target, post, account)}
      </p>
      <RemedyAction {...props} />
    </div>
  );
}

function remedyText(
  remedy: Remedy,
  { status, error }: Target,
  { editable }: Post,
  account: Account | undefined,
): string {
  if (remedy === 'correct' && isConversionFailure(error))
    return editable ? texts.remedies.editConversion : texts.remedies.convert;
  if (remedy === 'correct' && editable) return texts.remedies.edit;
  if (remedy === 'look' && status !== 'failed') return texts.remedies.lookLive;
  if (remedy === 'reconnect' && account === undefined) return texts.remedies.connect;
  return texts.remedies[remedy];
}

/** The remedy for this destination alone. A retry is for the whole post, so the page has it. */
function RemedyAction({ target, post, account, accounts, remedy, now, successor }: TroubleProps): ReactNode {
  const duplicate = useDuplicate();
  if (isDoubtful(target)) return <Verdict target={target} post={post} successor={successor} />;
  if (remedy === 'correct' && post.editable)
    return (
      <div>
        <ButtonLink to="/posts/$id/edit" params={{ id: post.id }} size="small" icon="pencil">
          {words.post.edit}
        </ButtonLink>
      </div>
    );
  if (remedy === 'correct')
    return (
      <Stack gap={2} align="start">
        <Button
          size="small"
          icon="pencil"
          isPending={duplicate.isPending}
          onPress={() => duplicate.start(post, { accountIds: accountsToCorrect(post, accounts, now) })}
        >
          {words.post.correct}
        </Button>
        {duplicate.failed && (
          <ErrorNotice error={duplicate.failed.error} title={copyFailure(duplicate.failed.error)} />
        )}
      </Stack>
    );
  if (remedy === 'reconnect')
    return (
      <div>
        <Reconnect account={account} platform={target.platform} />
      </div>
    );
  const url = placeToCheck(target.error);
  if (remedy === 'check' && url !== undefined)
    return (
      <p>
        <ExternalLink href={url}>{words.post.openPlatform(platformTitles[target.platform])}</ExternalLink>
      </p>
    );
  if (remedy === 'look' && target.status === 'failed' && account !== undefined)
    return (
      <div>
        <ButtonLink to="/accounts/$id" params={{ id: account.id }} size="small">
          {texts.openAccount}
        </ButtonLink>
      </div>
    );
  return null;
}

interface DangerProps {
  risk: Risk;
  account: Account | undefined;
  platform: Target['platform'];
}

/** Nothing has failed yet, and it will. */
function Danger({ risk, account, platform }: DangerProps) {
  return (
    <div className={join(classes.trouble, classes.warn)}>
      <p className={classes.error}>{texts.risks[risk]}</p>
      {risk !== 'restricted' && (
        <div>
          <Reconnect account={account} platform={platform} />
        </div>
      )}
    </div>
  );
}

/** Checks have found that it will probably fail: why, and who can do something about it. */
function Foreseen({ target, account }: TargetFacts) {
  const { risk, platform } = target;
  const findings = findingsOf(target, account);
  if (risk === null || findings.length === 0) return null;
  return (
    <div className={join(classes.trouble, classes.warn)}>
      {findings.map(({ code, message, param, by }) => (
        <p key={`${code} ${param}`} dir="auto" className={classes.error}>
          {sentence(message)} {texts.foreseen[by]}
        </p>
      ))}
      {findings.some(({ category }) => category === 'reconnect') && (
        <div>
          <Reconnect account={account} platform={platform} />
        </div>
      )}
      <Muted size="m">
        {texts.checked} <Time at={risk.checkedAt} isInline />
      </Muted>
    </div>
  );
}

/** A time that the service has recorded, to the millisecond. */
function PreciseTime({ at }: { at: string }) {
  const { timezone } = useWorkspace();
  const date = new Date(at);
  return (
    <time dateTime={at}>
      {formatPrecise(date, timezone)}{' '}
      <Muted as="span" size="m">
        {zoneName(date, timezone)}
      </Muted>
    </time>
  );
}
