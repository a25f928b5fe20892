import {
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  useRef,
  useState,
} from 'react';
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
import { isUndecided } from '../../posts/approval.ts';
import { lockOf } from '../../posts/move.ts';
import type { Movable } from '../../posts/moves.tsx';
import { canEdit, canRemove, excerptOf, type ListedPost, type ListedTarget } from '../../posts/post.ts';
import { PostState } from '../../posts/post-parts.tsx';
import { Thumbnail } from '../../posts/thumbnail.tsx';
import { formatTime, isSameTime, zoneName } from '../../time.ts';
import { words } from '../../words/words.ts';
import classes from './cards.module.css';
import { type CalendarTools, dragType, useTools } from './context.tsx';
import { type Entry, moveOf } from './entries.ts';

interface CardProps {
  entry: Entry;
  /** The place that it has: a day of a month, an hour of a week, or an hour of a day alone. */
  size: 'small' | 'hour' | 'wide';
  isActive: boolean;
  style?: Readonly<Record<string, number>>;
}

/** A card in a grid: opens the post, and can be dragged to another day unless something of it is out. */
export function Card({ entry, size, isActive, style }: CardProps) {
  const movable = moveOf(entry);
  const { selected } = useTools();
  const select = useSelecting(entry);
  const { dragProps, isDragging, pickUp } = useCardDrag(
    movable,
    lockOf(entry.post) !== undefined,
    size !== 'small',
  );
  const isSelected = selected.has(entry.post.id);
  return (
    <li
      {...dragProps}
      style={style as CSSProperties}
      className={join(
        classes.card,
        classes[size],
        classes[entry.condition],
        isDragging && classes.dragging,
        isSelected && classes.selected,
      )}
    >
      <a
        href={`/posts/${entry.post.id}`}
        className={classes.link}
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        data-item
        data-entry={entry.key}
        onClick={select.onClick}
        onKeyDown={(event) => {
          select.onKeyDown(event);
          if (!event.defaultPrevented) pickUp(event);
        }}
      >
        {isSelected && <VisuallyHidden>{words.calendarPage.card.selected} </VisuallyHidden>}
        {size === 'wide' ? (
          <>
            <CardTime at={entry.at} hasOwn />
            <Thumbnail post={entry.post} className={classes.thumbnail} />
            <span className={classes.about}>
              <Excerpt post={entry.post} />
              <span className={classes.to}>
                <Destinations targets={entry.targets} hasNames />
              </span>
            </span>
            <PostState condition={entry.condition} />
          </>
        ) : (
          <>
            <span className={classes.top}>
              <CardTime at={entry.at} />
              <PostState condition={entry.condition} isPlain />
            </span>
            <span className={classes.body}>
              <Destinations targets={entry.targets} mostMarks={2} />
              <Excerpt post={entry.post} />
              <Thumbnail post={entry.post} className={classes.thumbnail} />
            </span>
          </>
        )}
      </a>
      <span className={classes.menu}>
        <CardMenu movable={movable} entry={entry} isInTabOrder={isActive} />
      </span>
    </li>
  );
}

/** Lets a card be selected: with Ctrl, ⌘ or Shift and a click or Space, and with Space alone once one is selected. */
export function useSelecting(entry: Entry) {
  const { selected, onSelect } = useTools();
  return {
    onClick: (event: MouseEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      onSelect(entry, event.shiftKey);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== ' ' || !(event.ctrlKey || event.shiftKey || selected.size > 0)) return;
      event.preventDefault();
      onSelect(entry);
    },
  };
}

/**
 * Lets a card be dragged to a day with the mouse, or picked up with Space and put down with Enter.
 *
 * @param isDisabled nobody can pick it up. What is being dragged already stays so until it is put down
 * @param hasGrip true for a card among hours, whose upper edge is its time
 */
export function useCardDrag(movable: Movable, isDisabled: boolean, hasGrip = false) {
  const { draggedRef } = useTools();
  const [isHeld, setHeld] = useState(false);
  const grip = useRef(0);
  const cannot = isDisabled && !isHeld;
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    hasDragButton: true,
    isDisabled: cannot,
    getItems: () => [{ [dragType]: movable.post.id }],
    getAllowedDropOperations: () => ['move'],
    onDragStart: () => {
      setHeld(true);
      // Of a card that is somewhere else, its edge is where the pointer is.
      draggedRef.current = { ...movable, ...(hasGrip && { grip: grip.current }) };
    },
    onDragEnd: () => setHeld(false),
  });
  const pickUp = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ' || cannot) return;
    event.preventDefault();
    dragButtonProps.onPress?.({ pointerType: 'keyboard', target: event.currentTarget } as never);
  };
  const onDragStartCapture = ({ clientY, currentTarget }: DragEvent<HTMLElement>) => {
    grip.current = clientY - currentTarget.getBoundingClientRect().top;
  };
  return { dragProps: { ...dragProps, onDragStartCapture }, isDragging, pickUp };
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
  const excerpt = excerptOf({ content: post.content.replace(/\s+/g, ' ') }, 240);
  return excerpt === undefined ? (
    <span className={classes.noText}>{words.post.noText}</span>
  ) : (
    <span className={classes.excerpt} dir="auto">
      {excerpt}
    </span>
  );
}

/** Returns the actions for a card. @param entry absent for a draft without a time, which nobody selects */
export function useCardActions(movable: Movable, entry?: Entry): MenuAction[] {
  const { onMove, onDuplicate, onAct, onSelect, selected } = useTools();
  const { post, at } = movable;
  const canPublish = canEdit(post) && post.platforms.length > 0 && !isUndecided(post);
  const isLocked = lockOf(post) !== undefined;
  const href = `/posts/${post.id}`;
  return [
    { id: 'open', name: words.calendarPage.card.open, icon: 'posts', href },
    ...(entry === undefined
      ? []
      : [
          {
            id: 'select',
            name: selected.has(post.id) ? words.calendarPage.card.unselect : words.calendarPage.card.select,
            icon: 'check' as const,
            run: () => onSelect(entry),
          },
        ]),
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
    { id: 'copy', name: words.calendarPage.card.copy, icon: 'calendar', run: () => onAct('copy', movable) },
    ...(canPublish
      ? [
          {
            id: 'publish',
            name: words.calendarPage.card.publish,
            icon: 'arrow' as const,
            run: () => onAct('publish', movable),
          },
        ]
      : []),
    ...(canRemove(post)
      ? [
          {
            id: 'remove',
            name: words.post.remove.open,
            icon: 'trash' as const,
            isDangerous: true,
            run: () => onAct('remove', movable),
          },
        ]
      : []),
  ];
}

interface CardMenuProps {
  movable: Movable;
  /** The same as for {@link useCardActions}. */
  entry?: Entry;
  isInTabOrder: boolean;
}

export function CardMenu({ movable, entry, isInTabOrder }: CardMenuProps) {
  const label = words.calendarPage.card.menu(words.moving.named(excerptOf(movable.post, 40)));
  return (
    <Menu
      label={label}
      actions={useCardActions(movable, entry)}
      trigger={<IconButton icon="dots" size="small" label={label} excludeFromTabOrder={!isInTabOrder} />}
    />
  );
}
