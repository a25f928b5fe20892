import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useAccounts } from '../../accounts/use-accounts.ts';
import { isUnanswered, needsSignIn } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { PostLink } from '../../posts/post-parts.tsx';
import { canBeSearched } from '../../posts/search.ts';
import { useTags } from '../../posts/tags.ts';
import { useCommands } from '../../shortcuts.ts';
import { dayIn } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { PostFilterBar } from './filters.tsx';
import { type PostList, queryOf, usePostFilters, usePostList } from './list.ts';
import { PostTable } from './post-table.tsx';
import classes from './posts.module.css';
import { type Bulk, type Job, type Outcome, useBulk } from './use-bulk.ts';

const texts = words.postsPage;

const loadDialogs = () => import('./bulk-dialogs.tsx');
const MoveManyDialog = lazy(async () => ({ default: (await loadDialogs()).MoveManyDialog }));
const ConfirmManyDialog = lazy(async () => ({ default: (await loadDialogs()).ConfirmManyDialog }));
const TagManyDialog = lazy(async () => ({ default: (await loadDialogs()).TagManyDialog }));
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

type Open = 'move' | 'retry' | 'remove' | 'tag' | 'export';

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
  const [open, setOpen] = useState<Open>();
  const posts = bulk.overlay(list.posts);
  const selected = posts.filter(({ id }) => chosen.has(id));
  const close = () => setOpen(undefined);
  return (
    <Page title={texts.title} of={name} lead={texts.zone(timezone)} width="full">
      <PostFilterBar url={url} filters={filters} today={today} />
      {isReadable && (
        <div className={classes.list}>
          <Toolbar
            list={list}
            posts={posts}
            selected={selected}
            onOpen={setOpen}
            onClear={() => setChosen(new Set())}
          />
          {bulk.job && <Progress job={bulk.job} onStop={bulk.stop} />}
          {bulk.outcome && <Ending outcome={bulk.outcome} onDismiss={bulk.dismiss} />}
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
      <Suspense>
        <OpenDialog open={open} selected={selected} query={query} bulk={bulk} onClose={close} />
      </Suspense>
    </Page>
  );
}

interface OpenDialogProps {
  open: Open | undefined;
  selected: readonly ListedPost[];
  query: ReturnType<typeof queryOf>;
  bulk: Bulk;
  onClose: () => void;
}

/** The dialog keeps the posts with which it was opened, although the list is read again. */
function OpenDialog({ open, selected, query, bulk, onClose }: OpenDialogProps) {
  const [kept, setKept] = useState({ open, posts: selected });
  if (kept.open !== open) setKept({ open, posts: selected });
  const posts = kept.open === open ? kept.posts : selected;
  if (open === 'move') return <MoveManyDialog posts={posts} onMove={bulk.move} onClose={onClose} />;
  if (open === 'tag') return <TagManyDialog posts={posts} onTag={bulk.tag} onClose={onClose} />;
  if (open === 'export') return <ExportDialog selected={posts} query={query} onClose={onClose} />;
  if (open === 'retry' || open === 'remove')
    return <ConfirmManyDialog posts={posts} action={open} onConfirm={bulk[open]} onClose={onClose} />;
  return null;
}

interface ToolbarProps {
  list: PostList;
  posts: readonly ListedPost[];
  selected: readonly ListedPost[];
  onOpen: (open: Open) => void;
  onClear: () => void;
}

/**
 * Says how many posts are listed or selected, and what can be done. It stays in sight. Also while something is done: then its buttons can
 * still have the focus, and what somebody begins waits for its turn.
 */
function Toolbar({ list, posts, selected, onOpen, onClear }: ToolbarProps) {
  const tags = useTags();
  const isAny = selected.length > 0;
  const actions = [
    { id: 'move', icon: 'clock' },
    { id: 'retry', icon: 'refresh' },
    ...(tags === undefined ? [] : [{ id: 'tag', icon: 'pencil' } as const]),
    { id: 'remove', icon: 'trash' },
  ] as const;
  const commands = texts.actions.commands;
  useCommands([
    ...(isAny
      ? actions.map(({ id, icon }) => ({
          name: commands[id],
          icon,
          group: 'page' as const,
          ...(id === 'move' && { keys: 'm' }),
          run: () => onOpen(id),
        }))
      : []),
    { name: commands.export, icon: 'copy', group: 'page', run: () => onOpen('export') },
    ...(isAny
      ? [{ name: commands.clear, icon: 'cross' as const, group: 'page' as const, run: onClear }]
      : []),
  ]);
  return (
    <div className={join(classes.bar, isAny && classes.selected)}>
      <p className={classes.count} role="status">
        {isAny ? texts.status.selected(selected.length) : countOf(list, posts.length)}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, because the buttons are no fields */}
      <div className={classes.actions} role="group" aria-label={texts.actions.label}>
        {isAny &&
          actions.map(({ id, icon }) => (
            <Button key={id} size="small" icon={icon} onPress={() => onOpen(id)}>
              {texts.actions[id]}
            </Button>
          ))}
        {(isAny || posts.length > 0) && (
          <Button size="small" icon="copy" onPress={() => onOpen('export')}>
            {texts.actions.export}
          </Button>
        )}
        {isAny && <IconButton icon="cross" size="small" label={texts.actions.clear} onPress={onClear} />}
      </div>
    </div>
  );
}

function countOf({ pages, isSearching, hasMore }: PostList, shown: number): string {
  if (pages.data === undefined) return '';
  if (isSearching) return texts.status.searching(shown);
  if (hasMore && shown === 0) return texts.status.paused(0);
  return (hasMore ? texts.status.more : texts.status.shown)(shown);
}

function Progress({ job: { kind, done, all, isStopping }, onStop }: { job: Job; onStop: () => void }) {
  const text = isStopping ? texts.job.stopping : texts.job.running[kind](done, all);
  return (
    <Notice
      tone="info"
      actions={
        <Button size="small" isDisabled={isStopping} onPress={onStop}>
          {texts.job.stop}
        </Button>
      }
    >
      <p role="status">{text}</p>
      <progress className={classes.progress} aria-label={texts.job.progress} max={all} value={done} />
    </Notice>
  );
}

/** More names would push the list out of sight. */
const mostNamed = 20;

/** Says how a job ended that did not do everything, and why. */
function Ending({ outcome, onDismiss }: { outcome: Outcome; onDismiss: () => void }) {
  const { kind, worked, refused, left } = outcome;
  return (
    <Notice
      tone={refused.length > 0 ? 'bad' : 'warn'}
      title={refused.length > 0 ? texts.job.notWorked[kind](refused.length) : texts.job.left(left.length)}
      isLive
      actions={
        <IconButton icon="cross" size="small" label={words.shared.actions.dismiss} onPress={onDismiss} />
      }
    >
      {worked > 0 && <p>{texts.job.worked[kind](worked)}</p>}
      {refused.length > 0 && left.length > 0 && <p>{texts.job.left(left.length)}</p>}
      {refused.length > 0 && (
        <ul className={classes.refused} aria-label={texts.job.refused}>
          {refused.slice(0, mostNamed).map(({ post, error }) => (
            <li key={post.id}>
              <PostLink post={post} characters={60} />
              {': '}
              {needsSignIn(error)
                ? words.shared.errors.signInAgain
                : `${isUnanswered(error) ? `${texts.job.maybe} ` : ''}${sentence(error.message)}`}
            </li>
          ))}
          {refused.length > mostNamed && <li>{texts.job.others(refused.length - mostNamed)}</li>}
        </ul>
      )}
    </Notice>
  );
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
