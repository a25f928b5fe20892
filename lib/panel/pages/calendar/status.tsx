import type { RefObject } from 'react';
import { isUnanswered } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Row } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import type { Duplicate } from '../../posts/duplicate.ts';
import { MoveNotes, type Moves } from '../../posts/moves.tsx';
import { excerptOf } from '../../posts/post.ts';
import { dayIn } from '../../time.ts';
import { words } from '../../words/words.ts';
import classes from './calendar.module.css';
import { useTools } from './context.tsx';
import { type Range, shortDay } from './days.ts';
import { placeOfPost } from './focus.ts';
import type { CalendarPosts } from './posts.ts';

const texts = words.calendarPage.status;

interface StatusLineProps {
  read: CalendarPosts;
  range: Range;
  shown: number;
  all: number;
  empty: string;
  newPostHref: string;
  onClear: () => void;
}

/** The number of posts, the progress of the reading, or the next step if there are none. It keeps its height. */
export function StatusLine({ read, range, shown, all, empty, newPostHref, onClear }: StatusLineProps) {
  const { accounts, timezone } = useTools();
  const { isComplete, isPending, readUntil, posts, error } = read;
  if (error !== null && posts.length === 0) return null;
  const until = readUntil === undefined ? undefined : shortDay(dayIn(new Date(readUntil), timezone));
  const isReading = !isComplete && error === null;
  const isUnconnected = accounts?.size === 0;
  const counted =
    all === 0
      ? isUnconnected
        ? texts.noAccounts
        : empty
      : shown === 0
        ? texts.noMatch
        : texts.shown(shown, all);
  const said = isPending
    ? texts.reading
    : isReading && until !== undefined
      ? texts.readSoFar(posts.length, until)
      : counted;
  return (
    <div className={classes.status}>
      <p role="status">{said}</p>
      {isReading && (
        <progress
          className={classes.progress}
          aria-label={texts.progress}
          max={1}
          {...(readUntil !== undefined && { value: shareOf(range, readUntil) })}
        />
      )}
      {!isReading && all === 0 && isUnconnected && (
        <ButtonLink to="/accounts" size="small" icon="accounts" variant="primary">
          {texts.connect}
        </ButtonLink>
      )}
      {!isReading && all === 0 && !isUnconnected && (
        <a className={classes.step} href={newPostHref}>
          {texts.newPost}
        </a>
      )}
      {!isReading && all > 0 && shown === 0 && (
        <Button size="small" onPress={onClear}>
          {words.calendarPage.filters.clear}
        </Button>
      )}
    </div>
  );
}

/** A failure to read posts, with another try. Posts that were read before stay. */
export function ReadFailure({ read }: { read: CalendarPosts }) {
  const { timezone } = useTools();
  const { error, posts, isComplete, readUntil, isRetrying, retry, ownTimes } = read;
  const failed =
    error === null
      ? { error: ownTimes.error, isRetrying: ownTimes.isFetching, retry: ownTimes.refetch }
      : { error, isRetrying, retry };
  if (failed.error === null) return null;
  const title =
    error === null
      ? texts.failedOwnTimes
      : isComplete
        ? texts.stale
        : readUntil === undefined || posts.length === 0
          ? texts.failed
          : texts.failedLater(shortDay(dayIn(new Date(readUntil), timezone)));
  return (
    <div className={classes.failure}>
      <ErrorNotice error={failed.error} title={title} />
      <Button icon="refresh" onPress={failed.retry} isPending={failed.isRetrying}>
        {words.shared.actions.retry}
      </Button>
    </div>
  );
}

function shareOf({ from, to }: Range, until: string): number {
  const share = (Date.parse(until) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
  return Math.min(1, Math.max(0.02, share));
}

const copyTexts = words.calendarPage.duplicate;

interface NotesProps {
  moves: Moves;
  duplicate: Duplicate;
  root: RefObject<HTMLElement | null>;
}

/** Failures of moves and copies, until somebody dismisses them. */
export function Notes({ moves, duplicate, root }: NotesProps) {
  const { failed } = duplicate;
  const leave = (postId: string) => placeOfPost(root.current, postId)?.focus();
  return (
    <div className={classes.notes}>
      <MoveNotes
        notes={moves.notes}
        onDismiss={({ id, postId }) => {
          moves.dismiss(id);
          leave(postId);
        }}
      />
      {failed && (
        <div className={classes.failure}>
          <ErrorNotice
            error={failed.error}
            title={(isUnanswered(failed.error) ? copyTexts.maybe : copyTexts.failed)(
              words.moving.named(excerptOf(failed.post, 40)),
            )}
          />
          <Row>
            <Button
              size="small"
              onPress={() => {
                failed.retry();
                leave(failed.post.id);
              }}
            >
              {words.shared.actions.retry}
            </Button>
            <Button
              size="small"
              variant="quiet"
              onPress={() => {
                duplicate.dismiss();
                leave(failed.post.id);
              }}
            >
              {words.shared.actions.dismiss}
            </Button>
          </Row>
        </div>
      )}
    </div>
  );
}
