import type { listPostsOperation } from '../../../posts/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Stack, WithAside } from '../../components/layout.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { PunctualityCard, StorageCard } from './cards.tsx';
import { Concerns } from './concern-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Incidents } from './incidents.tsx';
import { NextDay } from './next-day-list.tsx';
import classes from './now.module.css';
import { Proposals } from './proposals.tsx';
import { useNow } from './reading.ts';

/** The page that says if all is well: what needs a person, what goes out next, and how punctual posts were. */
export function NowPage() {
  const { name } = useWorkspace();
  const now = useNow();
  const isFirst = useIsFirstVisit(now);
  return (
    <Page title={words.nowPage.title} of={name}>
      {isFirst === undefined ? (
        // Its own key: what is shown next is not what was there and has moved.
        <WithAside key="reading" isNarrow aside={<Skeleton kind="card" rows={2} />}>
          <Stack gap={8}>
            <Skeleton kind="card" rows={1} />
            <Skeleton rows={5} />
          </Stack>
        </WithAside>
      ) : isFirst ? (
        <>
          {now.proposed.length > 0 && <Proposals now={now} />}
          {now.concerns.length > 0 && <Concerns now={now} />}
          <FirstSteps accounts={now.accounts.data?.accounts ?? []} />
        </>
      ) : (
        <WithAside
          isNarrow
          aside={
            <div className={classes.aside}>
              <PunctualityCard />
              <StorageCard workspace={now.workspace} />
            </div>
          }
        >
          <Stack gap={8}>
            <Incidents incidents={now.workspace.data?.workspace.incidents ?? []} />
            {now.proposed.length > 0 && <Proposals now={now} />}
            <Concerns now={now} />
            <NextDay now={now} />
          </Stack>
        </WithAside>
      )}
    </Page>
  );
}

const newestEveryMs = 60_000;

/** Returns true if nothing was ever planned here; `undefined` until that is known. What cannot be read does not count. */
function useIsFirstVisit({
  attention,
  planned,
  accounts,
  older,
  dismissed,
  concerns,
}: ReturnType<typeof useNow>) {
  const isSettled = [attention, planned, accounts].every(({ isPending }) => !isPending);
  const hasPosts =
    (planned.data?.posts.length ?? 0) > 0 ||
    older.length + dismissed.length > 0 ||
    concerns.some(
      (each) =>
        each.kind === 'post' || each.kind === 'cause' || (each.kind === 'account' && each.failed.length > 0),
    );
  const newest = useGet<typeof listPostsOperation>(
    '/v1/posts',
    { query: { limit: '1' } },
    { isEnabled: isSettled && !hasPosts, refetchEveryMs: newestEveryMs },
  );
  if (!isSettled) return undefined;
  if (hasPosts || newest.isError) return false;
  return newest.data === undefined ? undefined : newest.data.posts.length === 0;
}
