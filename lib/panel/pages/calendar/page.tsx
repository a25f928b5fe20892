import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { returnFocus } from '../../components/return-focus.ts';
import { useDuplicate } from '../../posts/duplicate.ts';
import { afterDays, afterMinutes, atWallClock, type Destination, onDay } from '../../posts/move.ts';
import { MoveDialog } from '../../posts/move-dialog.tsx';
import { MoveNotes } from '../../posts/move-notes.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { type Movable, useMoves } from '../../posts/use-moves.ts';
import { browserZone, dayIn, isSameTime, zoneName } from '../../time.ts';
import { useMedia } from '../../use-media.ts';
import { wallClockOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { Agenda } from './agenda.tsx';
import { CalendarGrid } from './calendar-grid.tsx';
import { CalendarToolbar } from './calendar-toolbar.tsx';
import { type CalendarTools, ToolsProvider } from './context.tsx';
import { periodOf } from './dates.ts';
import { DraftsTray } from './drafts-tray.tsx';
import { DuplicateNote } from './duplicate-note.tsx';
import { type Entry, entriesOf, keyOf, moveOf, passes } from './entries.ts';
import { focusNext } from './focus.ts';
import { byDay, daysOf, rangeOf, weeksOfMonth } from './grid.ts';
import { composeHref, offeredTime } from './new-post.ts';
import { ReadFailure, StatusLine } from './status-line.tsx';
import classes from './toolbar.module.css';
import { useCalendarCommands } from './use-calendar-commands.ts';
import { useCalendarFocus } from './use-calendar-focus.ts';
import { useCalendarPosts } from './use-calendar-posts.ts';
import { useCalendarView } from './use-calendar-view.ts';
import { useNow } from './use-now.ts';
import { ViewSwitch } from './view-switch.tsx';

/** Steps with the keyboard that follow each other this quickly are one move. */
const settleMs = 700;
const mostInWeek = 30;

/** What goes out when: a month, a week, a day or an agenda, in which posts can be moved. */
export function CalendarPage() {
  const { name, timezone } = useWorkspace();
  const navigate = useNavigate();
  const now = useNow();
  const today = dayIn(new Date(now), timezone);
  const calendar = useCalendarView(today);
  const { view, day, isSmall, filters, go } = calendar;
  const range = useMemo(() => rangeOf(view, day, timezone), [view, day, timezone]);
  const read = useCalendarPosts(range, now);
  const accounts = useAccountsById();
  const moves = useMoves();
  const { start: copyPost, failed, dismiss } = useDuplicate();
  // A copy of what is still to come keeps the time, so that it is seen beside the original.
  const duplicate = (post: ListedPost, at: string | null) =>
    copyPost(post, {
      staysHere: true,
      ...(at !== null && Date.parse(at) > Date.now() && { scheduledFor: at }),
    });
  const [moving, setMoving] = useState<Movable>();
  const [hasDrafts, setHasDrafts] = useState(false);
  const isTall = useMedia('(min-height: 56rem)');
  const isNarrow = useMedia('(max-width: 62rem)');
  // Columns of a week are too narrow on a tablet: then it is a list.
  const isGrid = view === 'month' || (view === 'week' && !isNarrow);
  const root = useRef<HTMLDivElement>(null);
  const draftsButton = useRef<HTMLButtonElement>(null);
  const dragged = useRef<Movable>(undefined);
  const { place, want } = useCalendarFocus(root, day);

  const posts = moves.overlay(read.posts);
  const entries = useMemo(() => posts.flatMap(entriesOf), [posts]);
  const days = useMemo(
    () => (view === 'agenda' ? daysOf(view, day).filter((each) => each >= day) : daysOf(view, day)),
    [view, day],
  );
  const all = useMemo(() => byDay(entries, range.days, timezone), [entries, range, timezone]);
  const shown = useMemo(
    () =>
      byDay(
        entries.filter((entry) => passes(entry, filters)),
        range.days,
        timezone,
      ),
    [entries, filters, range, timezone],
  );
  const countIn = (grid: typeof all, of: readonly string[]) =>
    of.reduce((sum, each) => sum + (grid.get(each)?.length ?? 0), 0);
  const earlier = view === 'agenda' ? range.days.filter((each) => each < day) : [];
  const period = periodOf(view, day, days);

  const goTo = (next: string) => {
    want({ day: next, urlDay: next });
    go({ day: next });
  };
  const openDay = (which: string) => go({ view: 'day', day: which }, true);
  const move = (movable: Movable, to: Destination, settle?: number) => {
    const at = moves.go(movable, to, settle);
    if (at === undefined) return;
    const next = dayIn(new Date(at), timezone);
    const isShown = range.days.includes(next);
    want({ day: next, key: keyOf(movable.post.id, at), ...(!isShown && { urlDay: next }) });
    // What is moved with the keyboard stays in sight.
    if (!isShown && settle !== undefined) go({ day: next });
  };
  const shift = ({ at, ...entry }: Entry, by: { minutes: number } | { days: number }) => {
    const to =
      'days' in by ? afterDays(at, by.days, timezone, Date.now()) : afterMinutes(at, by.minutes, Date.now());
    move(moveOf({ at, ...entry }), to, settleMs);
  };
  const tools = useMemo(
    (): CalendarTools => ({
      timezone,
      now,
      today,
      accounts,
      dragged,
      onDrop: (on) => drop.current(on),
      onMove: setMoving,
      onDuplicate: (post, at) => copy.current(post, at),
    }),
    [timezone, now, today, accounts],
  );
  // The cards' tools stay the same while posts are read again, so that only cards that changed are shown anew.
  const drop = useRef((_day: string) => {});
  const copy = useRef(duplicate);
  useEffect(() => {
    copy.current = duplicate;
    drop.current = (on) => {
      const movable = dragged.current;
      dragged.current = undefined;
      if (movable === undefined) return;
      const time = offeredTime(on, timezone, Date.now())?.time ?? '09:00';
      const to =
        movable.at === null
          ? atWallClock({ date: on, time }, null, timezone, Date.now())
          : onDay(movable.at, on, timezone, Date.now());
      move(movable, to);
    };
  });

  const entryAtFocus = () => entries.find(({ key }) => key === place.current.key);
  useCalendarCommands({
    isGrid,
    onToday: () => {
      want({ day: today, urlDay: today });
      go({ day: today });
    },
    onView: (next) => {
      const at = place.current.day ?? day;
      want({ day: at, urlDay: at });
      go({ view: next, day: at }, next === 'day');
    },
    onNewPost: () =>
      void navigate({ href: composeHref(place.current.day ?? day, timezone, Date.now()) ?? '/compose' }),
    onMove: () => {
      const entry = entryAtFocus();
      if (entry) setMoving(moveOf(entry));
    },
    onShift: (by) => {
      const entry = entryAtFocus();
      if (entry) shift(entry, by);
    },
    onStep: (direction) => focusNext(root.current, direction),
  });

  const browser = browserZone();
  const isElsewhere = !isSameTime(new Date(range.from), timezone, browser);
  const zones = [...new Set([range.from, range.to].map((at) => zoneName(new Date(at), timezone)))];

  return (
    <Page
      title={words.calendarPage.title}
      of={name}
      width="full"
      lead={
        <>
          {words.calendarPage.zone(timezone, zones)} {isElsewhere && words.calendarPage.otherZone(browser)}
        </>
      }
      actions={<ViewSwitch view={view} isSmall={isSmall} onChange={(chosen) => go({ view: chosen })} />}
    >
      <ToolsProvider value={tools}>
        <div ref={root} className={classes['calendar']}>
          <CalendarToolbar view={calendar} period={period} accounts={accounts} />
          <ReadFailure read={read} />
          <div className={classes['line']}>
            <StatusLine
              read={read}
              range={range}
              shown={countIn(shown, days)}
              all={countIn(all, days)}
              empty={
                view === 'day'
                  ? words.calendarPage.status.emptyDay
                  : view === 'week'
                    ? words.calendarPage.status.emptyWeek
                    : words.calendarPage.status.empty(period)
              }
              newPostHref={composeHref(day < today ? today : day, timezone, now) ?? '/compose'}
              onClear={() => go({ account: '', platform: '', status: '' })}
            />
            <Button
              ref={draftsButton}
              variant="quiet"
              size="small"
              icon="pencil"
              aria-expanded={hasDrafts}
              onPress={() => setHasDrafts(!hasDrafts)}
            >
              {words.calendarPage.drafts.open}
            </Button>
          </div>
          {hasDrafts && (
            <DraftsTray
              overlay={moves.overlay}
              canDrag={isGrid}
              onClose={() => {
                setHasDrafts(false);
                returnFocus(draftsButton.current);
              }}
            />
          )}
          {isGrid ? (
            <CalendarGrid
              view={view}
              period={period}
              weeks={view === 'month' ? weeksOfMonth(day) : [days]}
              day={day}
              byDay={shown}
              isReading={read.isPending}
              mostShown={view === 'week' ? mostInWeek : isTall && !isNarrow ? 3 : 2}
              onGoTo={goTo}
              onOpenDay={openDay}
              onShift={shift}
            />
          ) : (
            <>
              {countIn(shown, earlier) > 0 && (
                <div className={classes['earlier']}>
                  <Button size="small" onPress={() => go({ day: earlier[0] ?? day })}>
                    {words.calendarPage.agenda.earlier(countIn(shown, earlier), period)}
                  </Button>
                </div>
              )}
              <Agenda
                period={period}
                days={days}
                byDay={shown}
                day={day}
                isSmall={isSmall}
                hasOwnTimes={isElsewhere}
              />
            </>
          )}
          <div className={classes['notes']}>
            <MoveNotes moves={moves} />
            <DuplicateNote failed={failed} onDismiss={dismiss} />
          </div>
        </div>
        <MoveDialog
          movable={moving}
          wall={
            moving?.at
              ? wallClockOf(new Date(moving.at), timezone)
              : (offeredTime(day, timezone, now) ?? { date: '', time: '' })
          }
          onMove={(to) => moving && move(moving, to)}
          onClose={() => setMoving(undefined)}
        />
      </ToolsProvider>
    </Page>
  );
}
