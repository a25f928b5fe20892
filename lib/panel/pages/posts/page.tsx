import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useAccounts } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { BulkBar } from '../../posts/bulk-bar.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { canBeSearched } from '../../posts/search.ts';
import { useBulk } from '../../posts/use-bulk.ts';
import { useCommands } from '../../shortcuts.ts';
import { dayIn } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { PostFilterBar } from './filters.tsx';
import { type PostList, queryOf, usePostFilters, usePostList } from './list.ts';
import { PostTable } from './post-table.tsx';
import classes from './posts.module.css';

const texts = words.postsPage;

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

/** All posts: found by words and filters, several changed at once. */
export function PostsPage() {
  const { name, timezone } = useWorkspace();
  const today = dayIn(new Date(), timezone);
  const { url, filters } = usePostFilters(today);
  const query = queryOf(filters, timezone);
  const isReadable =
    filters.range?.problem === undefined && (filters.search === '' || canBeSearched(filters.search));
  const list = usePostList(query, isReadable);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const bulk = useBulk((rest) => setChosen(new Set(rest.map(({ id }) => id))));
  const posts = bulk.overlay(list.posts);
  const selected = posts.filter(({ id }) => chosen.has(id));
  const [exported, setExported] = useState<readonly ListedPost[]>();
  const openExport = () => setExported(selected);
  useCommands([{ name: texts.exportCommand, icon: 'copy', group: 'page', run: openExport }]);
  return (
    <Page title={texts.title} of={name} lead={texts.zone(timezone)} width="full">
      <PostFilterBar url={url} filters={filters} today={today} />
      {isReadable && (
        <div className={classes.list}>
          <BulkBar
            bulk={bulk}
            selected={selected}
            idle={countOf(list, posts.length)}
            className={join(classes.bar, selected.length > 0 && classes.selected)}
            onClear={() => setChosen(new Set())}
          >
            {posts.length > 0 && (
              <Button size="small" icon="copy" onPress={openExport}>
                {texts.export.open}
              </Button>
            )}
          </BulkBar>
          <Listed
            list={list}
            posts={posts}
            search={filters.search}
            isFiltered={url.isAny}
            onClear={url.clear}
            selected={new Set(selected.map(({ id }) => id))}
            onSelect={setChosen}
          />
        </div>
      )}
      {exported && (
        <Suspense>
          <ExportDialog selected={exported} query={query} onClose={() => setExported(undefined)} />
        </Suspense>
      )}
    </Page>
  );
}

function countOf({ pages, isSearching, hasMore }: PostList, shown: number): string {
  if (pages.data === undefined) return '';
  if (isSearching) return texts.status.searching(shown);
  if (hasMore && shown === 0) return texts.status.paused(0);
  return (hasMore ? texts.status.more : texts.status.shown)(shown);
}

interface ListedProps {
  list: PostList;
  posts: readonly ListedPost[];
  search: string;
  isFiltered: boolean;
  onClear: () => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}

function Listed({ list, posts, search, isFiltered, onClear, selected, onSelect }: ListedProps) {
  const { pages, isSearching, hasMore } = list;
  if (pages.data === undefined) return <Reading of={pages} rows={8} />;
  if (posts.length === 0 && isSearching) return <Skeleton rows={4} />;
  if (posts.length === 0 && !hasMore) return <Nothing isFiltered={isFiltered} onClear={onClear} />;
  return (
    <>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.status.stale} />
      )}
      {posts.length > 0 && (
        <PostTable posts={posts} search={search} selected={selected} onSelect={onSelect} />
      )}
      <More list={list} shown={posts.length} />
    </>
  );
}

/** Longer lists are read on with the button only. */
const mostByScrolling = 500;

/** Reads on when somebody has scrolled to the end, or asks for it. */
function More({ list, shown }: { list: PostList; shown: number }) {
  const { pages, more, hasMore, isSearching } = list;
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(more);
  useEffect(() => {
    latest.current = more;
  });
  const isByScrolling =
    hasMore && !isSearching && !pages.isFetching && !pages.isError && shown > 0 && shown < mostByScrolling;
  useEffect(() => {
    if (!isByScrolling || end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) latest.current();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isByScrolling]);
  if (!hasMore) return null;
  return (
    <div ref={end}>
      <LoadMore
        pages={{
          ...pages,
          isFetchingNextPage: pages.isFetchingNextPage || isSearching,
          fetchNextPage: () => {
            more();
            return pages.fetchNextPage();
          },
        }}
      />
    </div>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { data } = useAccounts();
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title={texts.none.noMatchTitle}
        action={<Button onPress={onClear}>{texts.filters.clear}</Button>}
      >
        <p>{texts.none.noMatchText}</p>
      </EmptyState>
    );
  const hasNone = data?.accounts.length === 0;
  return (
    <EmptyState
      icon="posts"
      title={texts.none.title}
      action={
        hasNone ? (
          <ButtonLink to="/accounts" variant="primary">
            {texts.none.connect}
          </ButtonLink>
        ) : (
          <ButtonLink to="/compose" variant="primary" icon="plus">
            {texts.none.action}
          </ButtonLink>
        )
      }
    >
      <p>{hasNone ? texts.none.noAccountsText : texts.none.text}</p>
    </EmptyState>
  );
}
