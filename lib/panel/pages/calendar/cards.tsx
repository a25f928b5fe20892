import { type KeyboardEvent, useState } from 'react';
import { useDrag } from 'react-aria/useDrag';
import { nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { join } from '../../components/classes.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { Clipped, Muted } from '../../components/layout.tsx';
import { Menu } from '../../components/menu.tsx';
import type { MenuAction } from '../../components/menu-action.ts';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { lockOf } from '../../posts/move.ts';
import type { Movable } from '../../posts/moves.tsx';
import { excerptOf, type ListedPost, type ListedTarget } from '../../posts/post.ts';
import { PostState } from '../../posts/post-parts.tsx';
import { formatTime, isSameTime, zoneName } from '../../time.ts';
import { words } from '../../words/words.ts';
import classes from './cards.module.css';
import { type CalendarTools, dragType, useTools } from './context.tsx';
import { type Entry, moveOf, pictureOf } from './entries.ts';

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
      className={join(classes.card, classes[size], classes[entry.condition], isDragging && classes.dragging)}
    >
      <a
        href={`/posts/${entry.post.id}`}
        className={classes.link}
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        data-item
        data-entry={entry.key}
        onKeyDown={pickUp}
      >
        <span className={classes.top}>
          <CardTime at={entry.at} hasOwn={size === 'large'} />
          <PostState condition={entry.condition} isPlain />
        </span>
        <span className={classes.body}>
          {size === 'small' && <Destinations targets={entry.targets} mostMarks={2} />}
          <Excerpt post={entry.post} />
          {picture !== undefined && <Thumbnail url={picture} size={size === 'small' ? 18 : 40} />}
        </span>
        {size === 'large' && (
          <span className={classes.to}>
            <Destinations targets={entry.targets} hasNames />
          </span>
        )}
      </a>
      <span className={classes.menu}>
        <CardMenu movable={movable} isInTabOrder={isActive} />
      </span>
    </li>
  );
}

/**
 * Lets a card be dragged to a day with the mouse, or picked up with Space and put down with Enter.
 *
 * @param isDisabled nobody can pick it up. What is being dragged already stays so until it is put down
 */
export function useCardDrag(movable: Movable, isDisabled: boolean) {
  const { draggedRef } = useTools();
  const [isHeld, setHeld] = useState(false);
  const cannot = isDisabled && !isHeld;
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    hasDragButton: true,
    isDisabled: cannot,
    getItems: () => [{ [dragType]: movable.post.id }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => {
      setHeld(true);
      draggedRef.current = movable;
    },
    onDragEnd: () => setHeld(false),
  });
  const pickUp = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ' || cannot) return;
    event.preventDefault();
    dragButtonProps.onPress?.({ pointerType: 'keyboard', target: event.currentTarget } as never);
  };
  return { dragProps, isDragging, pickUp };
}

interface CardTimeProps {
  at: string;
  hasOwn?: boolean;
}

/** The time of a card: the header names the zone for the eye, each card for the ear. */
export function CardTime({ at, hasOwn = false }: CardTimeProps) {
  const { timezone, ownZone: own } = useTools();
  const date = new Date(at);
  return (
    <span className={classes.time}>
      <time dateTime={at}>
        {formatTime(date, timezone, 'time')}
        <VisuallyHidden> {zoneName(date, timezone)}</VisuallyHidden>
      </time>
      {hasOwn && !isSameTime(date, timezone, own) && (
        <span className={classes.minor}>{words.shared.time.yourTime(formatTime(date, own, 'time'))}</span>
      )}
    </span>
  );
}

interface DestinationsProps {
  targets: readonly ListedTarget[];
  hasNames?: boolean;
  mostMarks?: number;
}

/** The destinations of a card: marks, and names for the ear, or for the eye too. */
export function Destinations({ targets, hasNames = false, mostMarks = 3 }: DestinationsProps) {
  const { accounts } = useTools();
  const [first] = targets;
  if (first === undefined)
    return hasNames ? (
      <span className={classes.minor}>{words.calendarPage.card.noDestination}</span>
    ) : (
      <VisuallyHidden>{words.calendarPage.card.noDestination}</VisuallyHidden>
    );
  const names = targets.map((target) => titleOf(target, accounts));
  const others = targets.length - 1;
  return (
    <>
      <span className={classes.marks}>
        {targets.slice(0, mostMarks).map(({ accountId, platform }) => (
          <PlatformMark key={accountId} platform={platform} size="small" />
        ))}
        {/* The name says how many others there are. */}
        {!hasNames && targets.length > mostMarks && (
          <Muted as="span" size="xs" aria-hidden="true">
            {words.calendarPage.card.more(targets.length - mostMarks)}
          </Muted>
        )}
      </span>
      {hasNames && (
        <Clipped aria-hidden="true">
          <bdi>{names[0]?.name}</bdi>
          {others > 0 && ` ${words.calendarPage.card.more(others)}`}
        </Clipped>
      )}
      <VisuallyHidden>{names.map(({ name, platform }) => `${platform}: ${name}`).join(', ')}</VisuallyHidden>
    </>
  );
}

function titleOf({ accountId, platform }: ListedTarget, accounts: CalendarTools['accounts']) {
  const account = accounts?.get(accountId);
  const name = account ? nameOf(account) : accounts === undefined ? '…' : words.account.disconnected;
  return { name, platform: platformTitles[platform] };
}

/** The first words of a post, or that it has none. */
export function Excerpt({ post }: { post: ListedPost }) {
  const excerpt = excerptOf(post, 140);
  return excerpt === undefined ? (
    <span className={classes.noText}>{words.post.noText}</span>
  ) : (
    <span className={classes.excerpt} dir="auto">
      {excerpt}
    </span>
  );
}

/** A picture whose size is known before it is loaded. One that does not load leaves its place empty. */
export function Thumbnail({ url, size }: { url: string; size: number }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={classes.thumbnail} style={{ inlineSize: size, blockSize: size }}>
      {!isBroken && (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

/** Returns the actions for a card. */
export function useCardActions(movable: Movable): MenuAction[] {
  const { onMove, onDuplicate } = useTools();
  const { post, at } = movable;
  const isLocked = lockOf(post) !== undefined;
  const href = `/posts/${post.id}`;
  return [
    { id: 'open', name: words.calendarPage.card.open, icon: 'posts', href },
    ...(isLocked
      ? []
      : ([
          { id: 'edit', name: words.calendarPage.card.edit, icon: 'pencil', href: `${href}/edit` },
          {
            id: 'move',
            name: at === null ? words.calendarPage.drafts.plan : words.moving.open,
            icon: 'clock',
            run: () => onMove(movable),
          },
        ] as const)),
    {
      id: 'duplicate',
      name: words.calendarPage.card.duplicate,
      icon: 'copy',
      run: () => onDuplicate(post, at),
    },
  ];
}

interface CardMenuProps {
  movable: Movable;
  isInTabOrder: boolean;
}

export function CardMenu({ movable, isInTabOrder }: CardMenuProps) {
  const label = words.calendarPage.card.menu(words.moving.named(excerptOf(movable.post, 40)));
  return (
    <Menu
      label={label}
      actions={useCardActions(movable)}
      trigger={<IconButton icon="dots" size="small" label={label} excludeFromTabOrder={!isInTabOrder} />}
    />
  );
}
