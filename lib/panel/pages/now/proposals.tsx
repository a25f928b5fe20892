import { useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { Button } from '../../components/button.tsx';
import { FocusKeeper } from '../../components/focus-keeper.tsx';
import { Clipped, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { useActorNames } from '../../posts/approval.ts';
import { FileList } from '../../posts/files.tsx';
import { excerptOf, type ListedPost } from '../../posts/post.ts';
import { PostLink } from '../../posts/post-parts.tsx';
import { words } from '../../words/words.ts';
import classes from './now.module.css';
import type { Now } from './reading.ts';

const texts = words.proposals;
const shownAtFirst = 8;
const shownFiles = 4;
const shownAccounts = 3;

/** The drafts that somebody proposes, and a person has to decide about. Each is decided on its own page, which shows all of it. */
export function Proposals({ now }: { now: Now }) {
  const [isAll, setAll] = useState(false);
  const nameOfActor = useActorNames();
  const { proposals, proposed } = now;
  const shown = isAll ? proposed : proposed.slice(0, shownAtFirst);
  return (
    <Stack as="section" gap={3} aria-labelledby="proposals">
      <FocusKeeper>
        <h2 id="proposals">{texts.title}</h2>
        <ul className={classes.rows} aria-label={texts.list}>
          {shown.map((post) => (
            <ProposalRow
              key={post.id}
              post={post}
              accounts={now.accountsById}
              by={post.approval === null ? '' : nameOfActor(post.approval.requestedBy)}
              now={now.now}
            />
          ))}
        </ul>
        {shown.length < proposed.length ? (
          <div>
            <Button size="small" onPress={() => setAll(true)}>
              {words.nowPage.concerns.showAll(proposed.length)}
            </Button>
          </div>
        ) : (
          <LoadMore pages={proposals} />
        )}
      </FocusKeeper>
    </Stack>
  );
}

interface ProposalRowProps {
  post: ListedPost;
  accounts: ReadonlyMap<string, Account> | undefined;
  by: string;
  now: number;
}

function ProposalRow({ post, accounts, by, now }: ProposalRowProps) {
  const { id, content, scheduledFor, mediaItems, coverUrl, platforms, approval } = post;
  const [first] = platforms;
  const hasPassed = scheduledFor !== null && Date.parse(scheduledFor) <= now;
  const named = platforms.slice(0, shownAccounts).map(({ accountId }) => {
    const account = accounts?.get(accountId);
    return account ? nameOf(account) : words.account.disconnected;
  });
  const more = platforms.length - named.length;
  return (
    <li className={classes.row}>
      <span>{first && <PlatformMark platform={first.platform} />}</span>
      <Stack gap={2}>
        <Row className={classes.titleLine}>
          <h3 className={classes.rowTitle}>
            <PostLink post={post} />
          </h3>
          {hasPassed && (
            <Status tone="warn" icon="clock">
              {texts.passed}
            </Status>
          )}
        </Row>
        {content !== '' && (
          <Clipped as="p" lines={3} dir="auto">
            {content}
          </Clipped>
        )}
        <FileList files={mediaItems} coverUrl={coverUrl} most={shownFiles} />
        <p className={classes.meta}>
          <bdi>{named.length > 0 ? named.join(', ') : words.nowPage.nextDay.noDestination}</bdi>
          {more > 0 && <span>{words.nowPage.nextDay.more(more)}</span>}
          {scheduledFor === null ? (
            <span>{texts.noTime}</span>
          ) : (
            <span>
              {texts.proposed} <Time at={scheduledFor} isInline />
            </span>
          )}
          {approval && (
            <span>
              {texts.proposedBy} <bdi>{by}</bdi>, <Time at={approval.requestedAt} isRelative isInline />
            </span>
          )}
        </p>
      </Stack>
      <div className={classes.action}>
        <ButtonLink
          to="/posts/$id"
          params={{ id }}
          size="small"
          aria-label={texts.reviewFor(words.moving.named(excerptOf(post, 40)))}
        >
          {texts.review}
        </ButtonLink>
      </div>
    </li>
  );
}
