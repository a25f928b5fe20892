import { Fragment, useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Clipped, Muted, Stack } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { type ListedTarget, type Risk, riskOf } from '../../posts/post.ts';
import { PostLink, PostState } from '../../posts/post-parts.tsx';

import { dayIn, formatDay } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import type { Entry } from './next-day.ts';
import classes from './now.module.css';
import type { Now } from './reading.ts';

const texts = words.nowPage.nextDay;
const shownAtFirst = 25;

type Accounts = ReadonlyMap<string, Account> | undefined;

/** The posts of the next 24 hours, by time, and those that are late. */
export function NextDay({ now }: { now: Now }) {
  return (
    <Section title={texts.title} actions={<Link to="/calendar">{texts.calendar}</Link>}>
      <Content now={now} />
    </Section>
  );
}

function Content({ now: { planned, entries, accountsById, now } }: { now: Now }) {
  const [isAll, setAll] = useState(false);
  if (planned.isPending) return <Skeleton rows={4} />;
  if (planned.data === undefined)
    return (
      <ErrorState
        error={planned.error}
        onRetry={() => void planned.refetch()}
        isRetrying={planned.isFetching}
      />
    );
  const shown = isAll ? entries : entries.slice(0, shownAtFirst);
  return (
    <div className={classes.content}>
      {planned.isError && <ErrorNotice error={planned.error} title={texts.stale} />}
      {entries.length === 0 ? (
        <div className={classes.empty}>
          <p>{texts.empty}</p>
          <ButtonLink to="/compose" size="small" icon="plus">
            {texts.plan}
          </ButtonLink>
        </div>
      ) : (
        <EntryList entries={shown} accounts={accountsById} now={now} />
      )}
      {shown.length < entries.length && (
        <div>
          <Button size="small" onPress={() => setAll(true)}>
            {words.nowPage.concerns.showAll(entries.length)}
          </Button>
        </div>
      )}
      {!planned.data.isComplete && <Muted size="m">{texts.incomplete}</Muted>}
    </div>
  );
}

interface EntryListProps {
  entries: readonly Entry[];
  accounts: Accounts;
  now: number;
}

function EntryList({ entries, accounts, now }: EntryListProps) {
  const { timezone } = useWorkspace();
  const dayOf = (at: string) => dayIn(new Date(at), timezone);
  const days = Map.groupBy(entries, ({ at }) => dayOf(at));
  const today = dayOf(new Date(now).toISOString());
  return (
    <div className={classes.days}>
      {[...days].map(([day, ofDay]) => (
        <Stack key={day} as="section" gap={2} aria-label={formatDay(day)}>
          <h3 className={classes.dayTitle}>
            {day === today ? texts.today : day > today ? texts.tomorrow : texts.late}{' '}
            <Muted as="span" size="m">
              {formatDay(day)}
            </Muted>
          </h3>
          <ol className={classes.entries} aria-label={texts.list}>
            {ofDay.map((entry) => (
              <EntryRow key={entry.key} entry={entry} accounts={accounts} now={now} />
            ))}
          </ol>
        </Stack>
      ))}
    </div>
  );
}

interface EntryRowProps {
  entry: Entry;
  accounts: Accounts;
  now: number;
}

function EntryRow({ entry: { post, at, targets, condition }, accounts, now }: EntryRowProps) {
  const risks = targets.flatMap((target) => {
    const risk = riskOf(target, at, accounts, now);
    return risk === undefined ? [] : [{ target, risk }];
  });
  const isNext = condition === 'publishing';
  return (
    <li className={join(classes.entry, isNext && classes.live)}>
      <div className={classes.entryTime}>
        <Time at={at} format="time" />
      </div>
      <div className={classes.entryBody}>
        <p className={classes.entryWords}>
          <PostLink post={post} />
        </p>
        <Accounts targets={targets} accounts={accounts} />
        <Risks risks={risks} accounts={accounts} />
        {condition === 'draft' && <Muted>{texts.draft}</Muted>}
      </div>
      <div className={classes.entryState}>
        <PostState condition={condition} />
      </div>
    </li>
  );
}

const shownMarks = 5;

/** One account by its name, several by their marks. */
function Accounts({ targets, accounts }: { targets: readonly ListedTarget[]; accounts: Accounts }) {
  const [first] = targets;
  if (first === undefined) return <Muted>{texts.noDestination}</Muted>;
  const names = targets.map((target) => nameFor(target, accounts));
  return (
    <p className={classes.accounts}>
      <span className={classes.marks}>
        {targets.slice(0, shownMarks).map((target) => (
          <PlatformMark key={target.accountId} platform={target.platform} size="small" />
        ))}
      </span>
      <Clipped aria-hidden={targets.length > 1 || undefined}>
        <bdi>{names[0]}</bdi>
        {targets.length > 1 && ` + ${texts.more(targets.length - 1)}`}
      </Clipped>
      <VisuallyHidden>
        {targets.length > 1
          ? targets.map((target, place) => (
              <Fragment key={target.accountId}>
                {names[place]} ({platformTitles[target.platform]}){place < targets.length - 1 && ', '}
              </Fragment>
            ))
          : platformTitles[first.platform]}
      </VisuallyHidden>
    </p>
  );
}

const nameFor = ({ accountId }: ListedTarget, accounts: Accounts): string => {
  const account = accounts?.get(accountId);
  if (account !== undefined) return nameOf(account);
  return accounts === undefined ? '…' : words.account.disconnected;
};

/** Each reason once. */
function Risks({
  risks,
  accounts,
}: {
  risks: readonly { target: ListedTarget; risk: Risk }[];
  accounts: Accounts;
}) {
  if (risks.length === 0) return null;
  const reasons = new Set(risks.map(({ target, risk }) => texts.risks[risk](nameFor(target, accounts))));
  return (
    <p dir="auto" className={classes.risk}>
      {[...reasons].slice(0, 3).join(' ')}
    </p>
  );
}
