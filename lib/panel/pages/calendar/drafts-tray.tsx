import type { listPostsOperation } from '../../../posts/operations.ts';
import { usePages } from '../../api/hooks.ts';
import { join } from '../../components/classes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Movable, Moves } from '../../posts/moves.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { Thumbnail } from '../../posts/thumbnail.tsx';
import { words } from '../../words/words.ts';
import layout from './calendar.module.css';
import classes from './cards.module.css';
import { CardMenu, Destinations, Excerpt, useCardDrag } from './cards.tsx';
import { entriesOf } from './entries.ts';

const texts = words.calendarPage.drafts;

interface DraftsTrayProps {
  overlay: Moves['overlay'];
  canDrag: boolean;
  onClose: () => void;
}

/** The drafts that no day shows. */
export function DraftsTray({ overlay, canDrag, onClose }: DraftsTrayProps) {
  const pages = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { status: 'draft', limit: '100' },
  });
  const listed = pages.data?.pages.flatMap(({ posts }) => posts) ?? [];
  const drafts = overlay(listed).filter((post) => post.status === 'draft' && entriesOf(post).length === 0);
  return (
    <section className={layout.drafts} aria-label={texts.title}>
      <header className={layout.draftsHead}>
        <h3>{texts.title}</h3>
        <p>{canDrag ? texts.lead : texts.leadSmall}</p>
        <IconButton icon="cross" size="small" label={texts.close} onPress={onClose} />
      </header>
      {pages.isPending && <Skeleton rows={1} />}
      {pages.isError && <ErrorNotice error={pages.error} />}
      {pages.data && drafts.length === 0 && !pages.hasNextPage && <p>{texts.none}</p>}
      {drafts.length > 0 && (
        <ul className={layout.draftCards}>
          {drafts.map((post) => (
            <Draft key={post.id} post={post} canDrag={canDrag} />
          ))}
        </ul>
      )}
      <LoadMore pages={pages} />
    </section>
  );
}

interface DraftProps {
  post: ListedPost;
  canDrag: boolean;
}

function Draft({ post, canDrag }: DraftProps) {
  const movable = { post, at: null } satisfies Movable;
  const { dragProps, isDragging, pickUp } = useCardDrag(movable, !canDrag);
  return (
    <li
      {...dragProps}
      className={join(classes.card, classes.large, classes.draft, isDragging && classes.dragging)}
    >
      <a
        href={`/posts/${post.id}/edit`}
        className={classes.link}
        draggable={false}
        data-entry={post.id}
        onKeyDown={pickUp}
      >
        <span className={classes.body}>
          <Excerpt post={post} />
          <Thumbnail post={post} />
        </span>
        <span className={classes.to}>
          <Destinations targets={post.platforms} hasNames />
        </span>
      </a>
      <span className={classes.menu}>
        <CardMenu movable={movable} isInTabOrder />
      </span>
    </li>
  );
}
