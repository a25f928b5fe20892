import { join } from '../../components/classes.ts';
import { lockOf } from '../../posts/move.ts';
import { PostState } from '../../posts/post-state.tsx';
import classes from './card.module.css';
import { CardMenu, CardTime, Destinations, Excerpt, Thumbnail } from './card-parts.tsx';
import { type Entry, moveOf, pictureOf } from './entries.ts';
import { useCardDrag } from './use-card-drag.ts';

interface CardProps {
  entry: Entry;
  size: 'small' | 'large';
  isActive: boolean;
}

/** A card in a grid: opens the post, and can be dragged to another day unless something of it is out. */
export function Card({ entry, size, isActive }: CardProps) {
  const movable = moveOf(entry);
  const { dragProps, isDragging, pickUp } = useCardDrag(movable, lockOf(entry.post) !== undefined);
  const picture = pictureOf(entry.post);
  return (
    <li
      {...dragProps}
      className={join(
        classes['card'],
        classes[size],
        classes[entry.condition],
        isDragging && classes['dragging'],
      )}
    >
      <a
        href={`/posts/${entry.post.id}`}
        className={classes['link']}
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        data-item
        data-entry={entry.key}
        onKeyDown={pickUp}
      >
        <span className={classes['top']}>
          <CardTime at={entry.at} hasOwn={size === 'large'} />
          <PostState condition={entry.condition} isPlain isShort={size === 'small'} />
        </span>
        <span className={classes['body']}>
          {size === 'small' && <Destinations targets={entry.targets} mostMarks={2} />}
          <Excerpt post={entry.post} />
          {picture !== undefined && <Thumbnail url={picture} size={size === 'small' ? 18 : 40} />}
        </span>
        {size === 'large' && (
          <span className={classes['to']}>
            <Destinations targets={entry.targets} hasNames />
          </span>
        )}
      </a>
      <span className={classes['menu']}>
        <CardMenu movable={movable} isInTabOrder={isActive} />
      </span>
    </li>
  );
}
