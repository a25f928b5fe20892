import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FocusKeeper } from '../../components/focus-keeper.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import type { ListedPost } from '../../posts/post.ts';
import { PostLink, PostState } from '../../posts/post-parts.tsx';
import { conditionOfPost } from '../../posts/state.ts';
import { locale, words } from '../../words/words.ts';
import {
  AccountRow,
  AtRiskRow,
  CauseRow,
  EndpointRow,
  PostRow,
  StorageRow,
  WaitingRow,
} from './concern-rows.tsx';
import type { Concern } from './concerns.ts';
import classes from './now.module.css';
import type { Now } from './reading.ts';

const texts = words.nowPage.concerns;
/** More would push what is next out of sight. */
const shownAtFirst = 8;

/** Everything that needs a person, each with its reason and one action; or that all is well. */
export function Concerns({ now }: { now: Now }) {
  const { concerns, older, dismissed, attention, reads } = now;
  const [isAll, setAll] = useState(false);
  /** The id of the post that gets the focus once it is listed again. */
  const [restored, setRestored] = useState<string>();
  const isReading = Object.values(reads).some(({ isPending }) => isPending);
  const hasFailed = Object.values(reads).some(({ isError }) => isError);
  const shown = isAll ? concerns : concerns.slice(0, shownAtFirst);
  return (
    <Stack as="section" gap={3} aria-labelledby="concerns">
      <FocusKeeper>
        {concerns.length > 0 ? (
          <>
            <h2 id="concerns" className={classes.needsYou} tabIndex={-1}>
              <span className={join(classes.sign, classes.bad)}>
                <Icon name="alert" />
              </span>
              {texts.number(concerns.length)}
            </h2>
            <ul className={classes.rows} aria-label={texts.list}>
              {shown.map((concern) => (
                <ConcernRow
                  key={`${concern.kind} ${concern.key}`}
                  concern={concern}
                  now={now}
                  isRestored={concern.kind === 'post' && concern.post.id === restored}
                />
              ))}
            </ul>
            {shown.length < concerns.length && (
              <div>
                <Button size="small" onPress={() => setAll(true)}>
                  {texts.showAll(concerns.length)}
                </Button>
              </div>
            )}
          </>
        ) : isReading ? (
          <Skeleton kind="card" rows={1} />
        ) : (
          !hasFailed && <AllIsWell now={now} />
        )}
        {!isReading && hasFailed && <NotChecked now={now} />}
        {isAll || concerns.length <= shownAtFirst ? <LoadMore pages={attention} /> : null}
      </FocusKeeper>
      {older.length > 0 && (
        <details className={classes.older}>
          <summary>{texts.older(older.length, attention.hasNextPage)}</summary>
          <ul className={classes.rows} aria-label={texts.list}>
            {older.map((post) => (
              <PostRow
                key={post.id}
                post={post}
                accounts={now.accountsById}
                now={now.now}
                isRestored={post.id === restored}
                onDismiss={(each) => dismiss([each], now)}
              />
            ))}
          </ul>
        </details>
      )}
      <DismissedList
        posts={dismissed}
        onRestore={(post) => {
          now.restore([post]);
          setRestored(post.id);
        }}
      />
    </Stack>
  );
}

/** Hides posts that the person has dealt with. */
function dismiss(posts: readonly ListedPost[], now: Now): void {
  const undo = () => now.restore(posts);
  now.dismiss(posts);
  toast({ text: words.nowPage.dismissed.done, action: { label: words.shared.toasts.undo, run: undo } });
}

interface ConcernRowProps {
  concern: Concern;
  now: Now;
  isRestored: boolean;
}

function ConcernRow({ concern, now, isRestored }: ConcernRowProps) {
  switch (concern.kind) {
    case 'post':
      return (
        <PostRow
          post={concern.post}
          accounts={now.accountsById}
          now={now.now}
          isRestored={isRestored}
          onDismiss={(post) => dismiss([post], now)}
        />
      );
    case 'atRisk':
      return <AtRiskRow concern={concern} accounts={now.accountsById} />;
    case 'waiting':
      return <WaitingRow concern={concern} accounts={now.accountsById} />;
    case 'account':
      return <AccountRow concern={concern} onDismiss={(posts) => dismiss(posts, now)} />;
    case 'cause':
      return (
        <CauseRow concern={concern} accounts={now.accountsById} onDismiss={(posts) => dismiss(posts, now)} />
      );
    case 'endpoint':
      return <EndpointRow endpoint={concern.endpoint} />;
    case 'storage':
      return <StorageRow concern={concern} />;
  }
}

/** Names what was looked at, and the time: without these, nobody could believe it. */
function AllIsWell({ now: { older, dismissed, proposed, accounts, endpoints, reads } }: { now: Now }) {
  const { posts, accounts: accountsPart, endpoints: endpointsPart, storage } = texts.parts;
  const parts = [
    posts,
    accountsPart(accounts.data?.accounts.length ?? 0),
    ...(endpoints.data?.webhooks.length ? [endpointsPart(endpoints.data.webhooks.length)] : []),
    storage,
  ];
  const checkedAt = Math.min(...Object.values(reads).map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <div className={classes.well}>
      <span className={join(classes.bigSign, classes.good)}>
        <Icon name="check" size={24} />
      </span>
      <div>
        <h2 id="concerns" tabIndex={-1}>
          {older.length + dismissed.length > 0
            ? texts.wellForNow
            : proposed.length > 0
              ? texts.wellOtherwise
              : texts.well}
        </h2>
        <Muted size="m">
          {texts.checked(new Intl.ListFormat(locale).format(parts))}{' '}
          <Time at={new Date(checkedAt).toISOString()} format="time" isInline />
        </Muted>
      </div>
    </div>
  );
}

/** Names what could not be read, and so may not be well. */
function NotChecked({ now: { reads, concerns } }: { now: Now }) {
  const failed = Object.entries(reads).flatMap(([name, read]) =>
    read.isError ? [{ name: texts.unchecked[name as keyof typeof texts.unchecked], read }] : [],
  );
  const [first] = failed;
  if (first?.read.error == null) return null;
  const names = new Intl.ListFormat(locale).format(failed.map(({ name }) => name));
  return (
    <div className={classes.notChecked}>
      {concerns.length === 0 && (
        <h2 id="concerns" className={classes.hidden}>
          {texts.title}
        </h2>
      )}
      <ErrorNotice error={first.read.error} title={texts.notChecked(names)} />
      <Button
        size="small"
        icon="refresh"
        isPending={failed.some(({ read }) => read.isFetching)}
        onPress={() => {
          for (const { read } of failed) void read.refetch();
        }}
      >
        {words.shared.actions.retry}
      </Button>
    </div>
  );
}

const dismissedTexts = words.nowPage.dismissed;

interface DismissedListProps {
  posts: readonly ListedPost[];
  onRestore: (post: ListedPost) => void;
}

/** The posts that the person has dismissed in this browser, so that nothing is lost from sight. */
function DismissedList({ posts, onRestore }: DismissedListProps) {
  if (posts.length === 0) return null;
  return (
    <details className={classes.older}>
      <summary>{dismissedTexts.title(posts.length)}</summary>
      <Muted size="m">{dismissedTexts.note}</Muted>
      <ul className={classes.rows} aria-label={dismissedTexts.list}>
        {posts.map((post) => (
          <li key={post.id} className={classes.dismissed}>
            <PostLink post={post} />
            <PostState condition={conditionOfPost(post)} />
            <Button size="small" variant="quiet" onPress={() => onRestore(post)}>
              {dismissedTexts.restore}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
