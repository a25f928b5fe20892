import { lazy, Suspense, useState } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import type { listMediaOperation } from '../../media/operations.ts';
import { usePages } from '../api/hooks.ts';
import { useReadOn } from '../api/use-read-on.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Filter, FilterBar } from '../components/filter-bar.tsx';
import { Icon } from '../components/icon.tsx';
import { Stack } from '../components/layout.tsx';
import { ButtonLink } from '../components/link.tsx';
import { LoadMore } from '../components/load-more.tsx';
import { Reading } from '../components/reading.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { words } from '../words/words.ts';
import { factsOf, formatDuration, kindOf, type MediaView } from './draft-media.ts';
import { fromLibrary } from './library.ts';
import classes from './library-list.module.css';
import { Picture } from './picture.tsx';
import tiles from './tiles.module.css';

const texts = words.mediaPage;

const VideoPicture = lazy(async () => ({ default: (await import('./video-picture.tsx')).VideoPicture }));

/** The number of files per page: pictures are the files themselves. */
const perPage = '24';
/** The number of pages that a search reads by itself. Each looks through 500 files. */
const mostPagesOfSearch = 4;

interface LibraryListProps {
  filters: { readonly q: string; readonly kind: string };
  /** The text in the search field. */
  text: string;
  onText: (text: string) => void;
  onKind: (kind: string) => void;
  onClear: () => void;
  searchCommand?: string;
  /** Only files that a post can have. */
  isReadyOnly?: boolean;
  selected: ReadonlyMap<string, MediaView>;
  onSelect: (selected: ReadonlyMap<string, MediaView>) => void;
  /** The most files that may be selected. */
  most?: number;
  onOpen?: (media: MediaView) => void;
}

/** The workspace's files as pictures, with a search. Any number of them can be selected. */
export function LibraryList(props: LibraryListProps) {
  const { filters, text, onText, onKind, searchCommand, isReadyOnly = false } = props;
  const { q, kind } = filters;
  const isFiltered = q !== '' || kind !== '';
  const pages = usePages<typeof listMediaOperation>(
    '/v1/media',
    {
      query: {
        limit: perPage,
        ...(q.trim() !== '' && { search: q }),
        ...(kind !== '' && { kind: kind as 'image' }),
        ...(isReadyOnly && { status: 'ready' as const }),
      },
    },
    // New files come by uploads, after which the list is read again.
    { refetchEveryMs: 30_000 },
  );
  const media = pages.data?.pages.flatMap((page) => page.media) ?? [];
  // A page may be short, or empty, though more follow.
  const isReading = useReadOn(pages, media.length < Number(perPage) ? mostPagesOfSearch : 0);
  return (
    <Stack>
      <FilterBar
        search={{ label: texts.search, text, onText, command: searchCommand }}
        count={pages.data && texts.shown(media.length, pages.hasNextPage)}
      >
        <Filter label={texts.kind} all={texts.anyKind} names={texts.kinds} value={kind} onChange={onKind} />
      </FilterBar>
      {pages.isError && pages.data && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.stale} />
      )}
      {!pages.data ? (
        <Reading of={pages} waiting={<Skeleton kind="card" rows={3} />} />
      ) : media.length > 0 ? (
        <Tiles {...props} media={media} />
      ) : isReading ? (
        <Skeleton kind="card" rows={3} />
      ) : (
        <Nothing
          isFiltered={isFiltered}
          isMore={pages.hasNextPage}
          onClear={props.onClear}
          isPage={!isReadyOnly}
        />
      )}
      {!isReading && <LoadMore pages={pages} />}
    </Stack>
  );
}

interface NothingProps {
  isFiltered: boolean;
  isMore: boolean;
  isPage: boolean;
  onClear: () => void;
}

function Nothing({ isFiltered, isMore, isPage, onClear }: NothingProps) {
  if (!isFiltered && !isMore)
    return (
      <EmptyState
        icon="image"
        title={texts.none.title}
        action={
          isPage && (
            <ButtonLink to="/compose" variant="primary" icon="plus">
              {texts.none.action}
            </ButtonLink>
          )
        }
      >
        <p>{texts.none.text}</p>
      </EmptyState>
    );
  return (
    <EmptyState
      icon="search"
      title={texts.none.foundTitle}
      action={isFiltered && <Button onPress={onClear}>{texts.none.clear}</Button>}
    >
      <p>{isMore ? texts.none.foundMore : texts.none.foundText}</p>
    </EmptyState>
  );
}

function Tiles({
  media,
  selected,
  onSelect,
  most,
  onOpen,
}: LibraryListProps & { media: readonly MediaView[] }) {
  const isFull = most !== undefined && selected.size >= most;
  return (
    <GridList
      aria-label={texts.list}
      items={media}
      dependencies={[selected, isFull, onOpen]}
      layout="grid"
      selectionMode="multiple"
      selectedKeys={selected.keys()}
      onSelectionChange={(keys) => {
        const known = new Map([...selected, ...media.map((each) => [each.id, each] as const)]);
        const ids = keys === 'all' ? media.map(({ id }) => id) : [...keys].map(String);
        const chosen = ids.flatMap((id) => {
          const file = known.get(id);
          return file ? [[id, file] as const] : [];
        });
        onSelect(new Map(chosen.slice(0, most)));
      }}
      {...(onOpen && {
        onAction: (key) => {
          const file = media.find(({ id }) => id === key);
          if (file) onOpen(file);
        },
      })}
      className={tiles.grid}
    >
      {(each) => (
        <GridListItem
          id={each.id}
          textValue={each.filename}
          isDisabled={isFull && !selected.has(each.id)}
          className={join(tiles.tile, classes.tile)}
        >
          <Tile media={each} />
        </GridListItem>
      )}
    </GridList>
  );
}

function Tile({ media }: { media: MediaView }) {
  const file = fromLibrary(media);
  const [wasSeen, setSeen] = useState(false);
  const { status, filename, publicUrl, previewUrl } = media;
  const isVideo = kindOf(file) === 'video';
  return (
    <>
      <div
        className={join(tiles.frame, classes.frame)}
        ref={(frame) => {
          if (frame === null || wasSeen) return;
          const observer = new IntersectionObserver(
            (entries) => {
              if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
            },
            { rootMargin: '200px' },
          );
          observer.observe(frame);
          return () => observer.disconnect();
        }}
      >
        {status !== 'ready' ? (
          <span className={classes.sign}>
            <Icon name={status === 'pending' ? 'clock' : 'alert'} size={24} />
            {texts.states[status]}
          </span>
        ) : (
          // Pictures are the files themselves, and videos may have to be read: only those near what is in sight are loaded.
          wasSeen &&
          (isVideo ? (
            <Suspense>
              <VideoPicture file={{ url: publicUrl, filename }} preview={previewUrl} />
            </Suspense>
          ) : (
            <Picture media={file} />
          ))
        )}
        {isVideo && status === 'ready' && (
          <span className={join(tiles.badge, tiles.length)}>
            <Icon name="play" size={10} />
            {file.durationMs === undefined ? words.media.tile.video : formatDuration(file.durationMs)}
          </span>
        )}
        <Checkbox slot="selection" className={classes.check} aria-label={texts.select(filename)}>
          {({ isSelected }) => (
            <span className={join(classes.box, isSelected && classes.checked)}>
              {isSelected && <Icon name="check" size={14} />}
            </span>
          )}
        </Checkbox>
      </div>
      <div className={tiles.text}>
        <p className={tiles.name} dir="auto" title={filename}>
          {filename}
        </p>
        <p className={tiles.facts}>{factsOf(file) || ' '}</p>
      </div>
    </>
  );
}
