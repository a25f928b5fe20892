import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { Row } from '../../components/layout.tsx';
import { Page } from '../../components/page.tsx';
import { useDuplicate } from '../../posts/duplicate.ts';
import { type Movable, useMoves } from '../../posts/moves.tsx';
import type { ListedPost } from '../../posts/post.ts';
import { useBulk } from '../../posts/use-bulk.ts';
import { useCommands } from '../../shortcuts.ts';
import { browserZone, dayIn, isSameTime, zoneName } from '../../time.ts';
import { useMedia } from '../../use-media.ts';
import { wallClockOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './calendar.module.css';
import { type CalendarTools, type CardAct, ToolsProvider } from './context.tsx';
import { composeHref, offeredTime, periodOf, rangeOf, step, type View, weeksOfMonth } from './days.ts';
import { type Entry, freeTimeAfter, moveOf } from './entries.ts';
import { focusNext, focusOn, placeOfFilters, useCalendarFocus } from './focus.ts';
import { MonthGrid } from './grid.tsx';
import { type Shift, useMoving } from './moving.ts';
import { useCalendarPosts, useEntries } from './posts.ts';
import { Notes, ReadFailure, StatusLine } from './status.tsx';
import { CalendarToolbar, ViewSwitch } from './toolbar.tsx';
import { useCalendarView } from './view.ts';

const Agenda = lazy(async () => ({ default: (await import('./agenda.tsx')).Agenda }));
const DraftsTray = lazy(async () => ({ default: (await import('./drafts-tray.tsx')).DraftsTray }));
const HourGrid = lazy(async () => ({ default: (await import('./hours.tsx')).HourGrid }));
const ActDialog = lazy(async () => ({ default: (await import('./act-dialog.tsx')).ActDialog }));
const BulkBar = lazy(async () => ({ default: (await import('../../posts/bulk-bar.tsx')).BulkBar }));
const MoveDialog = lazy(async () => ({ default: (await import('../../posts/move-dialog.tsx')).MoveDialog }));

const texts = words.calendarPage.commands;
const quarter = 15;
const inPage = { group: 'page' } as const;

/** Posts by time, in a month, a week, a day or an agenda. They can be moved. */
export function CalendarPage() {
  const { name, timezone } = useWorkspace();
  const navigate = useNavigate();
  const now = useNow();
  const today = dayIn(new Date(now), timezone);
  const calendar = useCalendarView(today);
  const { view, day, isSmall, go } = calendar;
  const range = rangeOf(view, day, timezone);
  const read = useCalendarPosts(range, now);
  const accounts = useAccountsById();
  const moves = useMoves();
  const duplicate = useDuplicate();
  const [moving, setMoving] = useState<Movable>();
  const [acting, setActing] = useState<{ readonly act: CardAct; readonly movable: Movable }>();
  const [hasDrafts, setHasDrafts] = useState(false);
  const isNarrow = useMedia('(width < 62rem)');
  // Columns of a week are too narrow on a tablet: then it is a list.
  const hasHours = (view === 'week' && !isNarrow) || (view === 'day' && !isSmall);
  const isGrid = view === 'month' || hasHours;
  const root = useRef<HTMLDivElement>(null);
  const draftsButton = useRef<HTMLButtonElement>(null);
  const { place, want } = useCalendarFocus(root, day);
  const { chosen, setChosen, chooseIn } = useSelection();
  const bulk = useBulk((rest) => setChosen(new Set(rest.map(({ id }) => id))));
  const posts = moves.overlay(bulk.overlay(read.posts));
  const { all, days, byDay, counts } = useEntries(posts, calendar, range, timezone, { accounts, now });
  const period = periodOf(view, day, days);
  const cards = days.flatMap((each) => byDay.get(each) ?? []);
  const selected = [...new Set(cards.map(({ post }) => post))].filter(({ id }) => chosen.has(id));
  const { move, shift, draggedRef, drop } = useMoving({
    moves,
    posts,
    range,
    timezone,
    want,
    onGoTo: (next) => go({ day: next }),
  });

  const goTo = (next: string) => {
    // What is shown already changes nothing for which the focus would wait.
    if (next === day) focusOn(root.current, { day: next });
    else want({ day: next, urlDay: next });
    go({ day: next });
  };
  const openDay = (which: string) => go({ view: 'day', day: which }, true);
  // A copy of what is still to come is seen near the original, but not at the same minute.
  const copy = (post: ListedPost, at: string | null) =>
    duplicate.start(post, {
      staysHere: true,
      ...(at !== null && Date.parse(at) > Date.now() && { scheduledFor: freeTimeAfter(at, all) }),
    });
  const latest = useRef({ drop, copy, cards });
  useEffect(() => {
    latest.current = { drop, copy, cards };
  });
  const ownZone = browserZone();
  // They stay the same while posts are read again, so that only cards that have changed are drawn.
  const tools = {
    timezone,
    ownZone,
    now,
    today,
    accounts,
    draggedRef,
    onDrop: (day, at) => latest.current.drop(day, at),
    onMove: setMoving,
    onDuplicate: (post, at) => latest.current.copy(post, at),
    onAct: (act, movable) => setActing({ act, movable }),
    selected: chosen,
    onSelect: (entry, isRange) => chooseIn(latest.current.cards, entry, isRange),
  } satisfies CalendarTools;

  const entryAtFocus = () => all.find(({ key }) => key === place.current.key);
  const show = (next: View) => {
    const at = place.current.day ?? day;
    want({ day: at, urlDay: at });
    go({ view: next, day: at }, next === 'day');
  };
  const write = () =>
    void navigate({ href: composeHref(place.current.day ?? day, timezone, Date.now()) ?? '/compose' });
  const moveAtFocus = () => {
    const entry = entryAtFocus();
    if (entry) setMoving(moveOf(entry));
  };
  const shiftAtFocus = (by: Shift) => {
    const entry = entryAtFocus();
    if (entry) shift(entry, by);
  };
  // `M` is Move…, so the month has `O`. The grid itself listens to Alt with arrows.
  useCommands([
    { ...inPage, name: texts.today, icon: 'calendar', keys: 't', run: () => goTo(today) },
    { ...inPage, name: texts.day, keys: 'd', run: () => show('day') },
    { ...inPage, name: texts.week, keys: 'w', run: () => show('week') },
    { ...inPage, name: texts.month, keys: 'o', run: () => show('month') },
    { ...inPage, name: texts.agenda, keys: 'a', run: () => show('agenda') },
    { ...inPage, name: texts.newPost, icon: 'plus', keys: 'n', run: write },
    // Once some are selected, it moves those.
    ...(selected.length === 0
      ? [{ ...inPage, name: texts.move, icon: 'clock' as const, keys: 'm', run: moveAtFocus }]
      : []),
    { ...inPage, name: texts.next, keys: 'j', run: () => focusNext(root.current, 1) },
    { ...inPage, name: texts.previous, keys: 'k', run: () => focusNext(root.current, -1) },
    ...(isGrid
      ? [
          { ...inPage, name: texts.earlier, keys: 'Alt+↑', run: () => shiftAtFocus({ minutes: -quarter }) },
          { ...inPage, name: texts.later, keys: 'Alt+↓', run: () => shiftAtFocus({ minutes: quarter }) },
          { ...inPage, name: texts.dayEarlier, keys: 'Alt+←', run: () => shiftAtFocus({ days: -1 }) },
          { ...inPage, name: texts.dayLater, keys: 'Alt+→', run: () => shiftAtFocus({ days: 1 }) },
        ]
      : []),
  ]);

  const isElsewhere = !isSameTime(new Date(range.from), timezone, ownZone);
  const zones = [...new Set([range.from, range.to].map((at) => zoneName(new Date(at), timezone)))];

  return (
    <Page
      title={words.calendarPage.title}
      of={name}
      width="full"
      fitsWindow={isGrid}
      lead={
        <>
          {words.calendarPage.zone(timezone, zones)} {isElsewhere && words.calendarPage.otherZone(ownZone)}
        </>
      }
      actions={<ViewSwitch view={view} isSmall={isSmall} onChange={(chosen) => go({ view: chosen })} />}
    >
      <ToolsProvider value={tools}>
        <div ref={root} className={join(classes.calendar, isGrid && classes.fits)}>
          <CalendarToolbar view={calendar} period={period} accounts={accounts} isReading={read.isPending} />
          <ReadFailure read={read} />
          <Row gap={4} isSpread>
            <StatusLine
              read={read}
              range={range}
              shown={counts.shown}
              all={counts.all}
              empty={words.calendarPage.status.empty[view](period)}
              newPostHref={composeHref(day < today ? today : day, timezone, now) ?? '/compose'}
              onClear={() => {
                go({ account: '', platform: '', status: '' });
                placeOfFilters(root.current)?.focus();
              }}
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
          </Row>
          {hasDrafts && (
            <Suspense>
              <DraftsTray
                overlay={moves.overlay}
                canDrag={isGrid}
                onClose={() => {
                  setHasDrafts(false);
                  draftsButton.current?.focus();
                }}
              />
            </Suspense>
          )}
          {view === 'month' ? (
            <MonthGrid
              period={period}
              weeks={weeksOfMonth(day)}
              day={day}
              byDay={byDay}
              isReading={read.isPending}
              isNarrow={isNarrow}
              onGoTo={goTo}
              onOpenDay={openDay}
              onShift={shift}
            />
          ) : hasHours ? (
            <Suspense>
              <HourGrid
                view={view === 'day' ? view : 'week'}
                period={period}
                days={days}
                day={day}
                byDay={byDay}
                isReading={read.isPending}
                account={calendar.filters.account}
                onGoTo={goTo}
                onOpenDay={openDay}
                onShift={shift}
              />
            </Suspense>
          ) : (
            <Suspense>
              <Agenda
                period={period}
                days={days}
                byDay={byDay}
                day={day}
                isSmall={isSmall}
                hasOwnTimes={isElsewhere}
                {...(view === 'agenda' && { onLater: () => goTo(step(view, day, 1)) })}
              />
            </Suspense>
          )}
          {(moves.notes.length > 0 || duplicate.failed) && (
            <Notes moves={moves} duplicate={duplicate} root={root} />
          )}
          {(selected.length > 0 || bulk.job || bulk.outcome) && (
            <div className={classes.selection}>
              <Suspense>
                <BulkBar
                  bulk={bulk}
                  selected={selected}
                  className={classes.bar}
                  onClear={() => setChosen(new Set())}
                />
              </Suspense>
            </div>
          )}
        </div>
        {acting && (
          <Suspense>
            <ActDialog {...acting} copies={duplicate} onClose={() => setActing(undefined)} />
          </Suspense>
        )}
        {moving && (
          <Suspense>
            <MoveDialog
              movable={moving}
              wall={
                moving.at
                  ? wallClockOf(new Date(moving.at), timezone)
                  : (offeredTime(day, timezone, now) ?? { date: '', time: '' })
              }
              onMove={(to) => move(moving, to)}
              onClose={() => setMoving(undefined)}
            />
          </Suspense>
        )}
      </ToolsProvider>
    </Page>
  );
}

/** The ids of the posts that are selected. */
function useSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  /** Selects a post by its card or, if it is selected, no longer; a range follows the order of the cards. */
  const chooseIn = (cards: readonly Entry[], { key, post }: Entry, isRange = false) => {
    const place = (wanted: string) => cards.findIndex((card) => card.key === wanted);
    const [one = -1, other = -1] = [place(last ?? key), place(key)].sort((a, b) => a - b);
    const next = new Set(chosen);
    if (isRange && one >= 0) for (const card of cards.slice(one, other + 1)) next.add(card.post.id);
    else if (!next.delete(post.id)) next.add(post.id);
    setLast(key);
    setChosen(next);
  };
  return { chosen, setChosen, chooseIn };
}

const everyMs = 30_000;

/** Epoch milliseconds, renewed twice a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
