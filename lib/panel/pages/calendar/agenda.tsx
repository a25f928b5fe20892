import { useEffect, useRef, useState } from 'react';
import { Button as Base } from 'react-aria-components/Button';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { Icon } from '../../components/icon.tsx';
import { Muted } from '../../components/layout.tsx';
import { Menu } from '../../components/menu.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { excerptOf } from '../../posts/post.ts';
import { PostState } from '../../posts/post-parts.tsx';
import { pictureOf, Thumbnail } from '../../posts/thumbnail.tsx';
import { words } from '../../words/words.ts';
import classes from './agenda.module.css';
import { CardMenu, CardTime, Destinations, Excerpt, useCardActions, useSelecting } from './cards.tsx';
import { useTools } from './context.tsx';
import { composeHref, nameOfDay } from './days.ts';
import { type Entry, moveOf } from './entries.ts';

interface AgendaProps {
  period: string;
  days: readonly string[];
  byDay: ReadonlyMap<string, readonly Entry[]>;
  day: string;
  isSmall: boolean;
  hasOwnTimes: boolean;
  onLater?: () => void;
}

/** The posts of some days as a list. Days far out of sight only have their height. */
export function Agenda({ period, days, byDay, day, isSmall, hasOwnTimes, onLater }: AgendaProps) {
  const { today } = useTools();
  const shown = days.filter((each) => each === day || each === today || (byDay.get(each)?.length ?? 0) > 0);
  return (
    <section
      className={join(classes.agenda, hasOwnTimes && classes.ownTimes)}
      aria-label={words.calendarPage.grid.label(period)}
    >
      {shown.map((each) => (
        <Day key={each} day={each} entries={byDay.get(each) ?? none} isSmall={isSmall} />
      ))}
      {onLater && (
        <div className={classes.later}>
          <Button icon="chevronDown" onPress={onLater}>
            {words.calendarPage.navigation.next.agenda}
          </Button>
        </div>
      )}
    </section>
  );
}

const none: readonly Entry[] = [];
const rowRem = { large: 4.25, small: 5.75 };
/** Days this near to what is in sight are ready. */
const margin = '1200px 0px';

interface DayProps {
  day: string;
  entries: readonly Entry[];
  isSmall: boolean;
}

function Day({ day, entries, isSmall }: DayProps) {
  const { timezone, now, today } = useTools();
  const place = useRef<HTMLElement>(null);
  const isNear = useIsNear(place);
  const newPost = composeHref(day, timezone, now);
  const name = nameOfDay(day);
  const headingId = `day-${day}`;
  return (
    <section ref={place} className={classes.day} aria-labelledby={headingId} data-day={day}>
      <header className={classes.head}>
        <h3 id={headingId} className={classes.name} tabIndex={-1} data-date>
          {name}
        </h3>
        {day === today && <span className={classes.today}>{words.calendarPage.agenda.today}</span>}
        <Muted as="span">
          {entries.length === 0
            ? words.calendarPage.agenda.none
            : words.calendarPage.agenda.posts(entries.length)}
        </Muted>
        {newPost !== undefined && (
          <a href={newPost} className={classes.new} aria-label={words.calendarPage.grid.newPostOn(name)}>
            <Icon name="plus" />
          </a>
        )}
      </header>
      {entries.length > 0 &&
        (isNear ? (
          <EntryList entries={entries} isSmall={isSmall} />
        ) : (
          <div style={{ blockSize: `${entries.length * (isSmall ? rowRem.small : rowRem.large)}rem` }} />
        ))}
    </section>
  );
}

interface EntryListProps {
  entries: readonly Entry[];
  isSmall?: boolean;
}

/** Posts as rows. */
export function EntryList({ entries, isSmall = false }: EntryListProps) {
  return (
    <ul
      className={join(
        classes.list,
        entries.every(({ post }) => pictureOf(post) === undefined) && classes.noPictures,
      )}
    >
      {entries.map((entry) =>
        isSmall ? <TapRow key={entry.key} entry={entry} /> : <Row key={entry.key} entry={entry} />,
      )}
    </ul>
  );
}

/** Returns true once an element has been near to what is in sight. */
function useIsNear(place: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear, place]);
  return isNear;
}

function Row({ entry }: { entry: Entry }) {
  const movable = moveOf(entry);
  const { selected } = useTools();
  return (
    <li
      className={join(classes.row, classes[entry.condition], selected.has(entry.post.id) && classes.selected)}
    >
      <a
        {...useSelecting(entry)}
        href={`/posts/${entry.post.id}`}
        className={classes.link}
        data-item
        data-entry={entry.key}
      >
        <Content entry={entry} />
      </a>
      <CardMenu movable={movable} entry={entry} isInTabOrder />
    </li>
  );
}

/** A row for small screens: a tap anywhere on it opens its menu. */
function TapRow({ entry }: { entry: Entry }) {
  const movable = moveOf(entry);
  const { selected } = useTools();
  return (
    <li
      className={join(classes.row, classes[entry.condition], selected.has(entry.post.id) && classes.selected)}
    >
      <Menu
        label={words.calendarPage.card.menu(words.moving.named(excerptOf(entry.post, 40)))}
        actions={useCardActions(movable, entry)}
        trigger={
          <Base className={classes.link} data-item data-entry={entry.key}>
            <Content entry={entry} />
            <Icon name="dots" />
          </Base>
        }
      />
    </li>
  );
}

function Content({ entry }: { entry: Entry }) {
  const { post, at, targets, condition, isPart } = entry;
  const { selected } = useTools();
  return (
    <>
      {selected.has(entry.post.id) && <VisuallyHidden>{words.calendarPage.card.selected} </VisuallyHidden>}
      <span className={classes.when}>
        <CardTime at={at} hasOwn />
      </span>
      <span className={classes.picture}>
        <Thumbnail post={post} />
      </span>
      <span className={classes.words}>
        <Excerpt post={post} />
        <span className={classes.to}>
          <Destinations targets={targets} hasNames />
          {isPart && (
            <span className={classes.part}>
              {words.calendarPage.card.partNote(targets.length, post.platforms.length)}
            </span>
          )}
        </span>
      </span>
      <span className={classes.state}>
        <PostState condition={condition} />
      </span>
    </>
  );
}
