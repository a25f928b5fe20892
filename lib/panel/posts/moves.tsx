import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from 'react';
import type { readPostOperation } from '../../posts/operations.ts';
import type { editPostOperation } from '../../posts/request/operations.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { ApiError, isUnanswered, needsSignIn } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { useRefresh } from '../api/hooks.ts';
import type { ReplyOf } from '../api/operation-types.ts';
import { useStore } from '../api/store.ts';
import { sentence } from '../components/error-notice.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { RequestId } from '../components/request-id.tsx';
import { toast } from '../components/toast-list.ts';
import { formatTime, zoneName } from '../time.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import { changeFor, type Destination, lockOf, type Move, Mover, movesAll } from './move.ts';
import { excerptOf, type ListedPost } from './post.ts';

/** A note about a move, which stays in the page until it is dismissed. */
interface MoveNote {
  readonly id: number;
  readonly tone: 'bad' | 'warn';
  readonly title: string;
  readonly lines: readonly string[];
  readonly error?: Error | undefined;
  readonly postId: string;
}

/** A thing to move: a post, or the destinations of it that have the same time. */
export type Movable = Pick<Move, 'post' | 'accountIds'> & { readonly at: string | null };

export interface Moves {
  readonly notes: readonly MoveNote[];
  readonly dismiss: (id: number) => void;
  /** The posts of a list with what was moved since it was read. */
  readonly overlay: (posts: readonly ListedPost[]) => readonly ListedPost[];
  /**
   * Moves it there if that is possible, and says in the page if not.
   *
   * @param settleMs as in {@link Mover}
   * @returns the new time, ISO 8601; `undefined` if it stays
   */
  readonly go: (movable: Movable, to: Destination, settleMs?: number) => string | undefined;
}

type Reply = ReplyOf<typeof editPostOperation>;
const changed = ['/v1/posts', '/v1/posts/{id}'];
const mostNotes = 3;
/** Moves posts for as long as a page is shown; what waits is sent when it is left. */
export function useMoves(): Moves {
  const { id: workspaceId, timezone } = useWorkspace();
  const refresh = useRefresh(changed);
  const [notes, setNotes] = useState<readonly MoveNote[]>([]);
  // Kept by hand, because it holds moves that wait.
  const mover = useMemo(
    () => moverFor({ workspaceId, timezone, refresh, setNotes }),
    [workspaceId, timezone, refresh],
  );
  useEffect(() => {
    mover.show(true);
    return () => {
      mover.show(false);
      mover.moves.flush();
    };
  }, [mover]);
  const shown = useStore(mover.moves.shown);

  return {
    notes,
    dismiss: (id) => setNotes((before) => before.filter((note) => note.id !== id)),
    overlay: (posts) => mover.moves.overlay(posts, shown),
    go: ({ post, accountIds, at }, to, settleMs) => {
      const refuse = (line: string) =>
        mover.say({ tone: 'bad', title: stayText(post, at, timezone), lines: [line], postId: post.id });
      const lock = lockOf(post);
      if (lock !== undefined) refuse(words.moving.locks[lock]);
      else if (to.kind === 'past') refuse(words.moving.past(whenText(to.at, timezone)));
      else if (to.kind === 'time') {
        const iso = to.at.toISOString();
        mover.moves.move({ post, accountIds, from: at, to: iso, remark: remarkOf(to) }, settleMs);
        return iso;
      }
      return undefined;
    },
  };
}

interface Page {
  readonly workspaceId: string;
  readonly timezone: string;
  readonly refresh: () => void;
  readonly setNotes: Dispatch<SetStateAction<readonly MoveNote[]>>;
}

let lastNote = 0;

/** Returns a {@link Mover} that says what became of each move: in the page while that is shown, then in toasts. */
function moverFor({ workspaceId, timezone, refresh, setNotes }: Page) {
  let isShown = true;
  const show = (is: boolean) => {
    isShown = is;
  };
  const say = (note: Omit<MoveNote, 'id'>) => {
    lastNote += 1;
    const id = lastNote;
    if (isShown) setNotes((before) => [...before.slice(1 - mostNotes), { ...note, id }]);
    else toast({ text: note.title, tone: 'bad' });
  };
  const moves: Mover<Reply> = new Mover<Reply>({
    now: Date.now,
    send: (move) => sendMove(move, workspaceId),
    onDone: (move, { post, warnings }) => {
      refresh();
      toast({
        text: doneText(move, timezone),
        action: { label: words.shared.toasts.undo, run: () => moves.undo(move, post) },
      });
      if (warnings.length === 0) return;
      const title = words.moving.mayFail(words.moving.named(excerptOf(post, 40)));
      say({ tone: 'warn', title, lines: warnings.map(({ message }) => message), postId: post.id });
    },
    onFailed: (move, error) => {
      refresh();
      say({
        tone: 'bad',
        title: isUnanswered(error) ? maybeText(move, timezone) : stayText(move.post, move.from, timezone),
        lines: problemsIn(error, move.post),
        error: error instanceof Error ? error : undefined,
        postId: move.post.id,
      });
    },
  });
  return { moves, say, show };
}

/** Returns the problems that the service finds with a move, with the platform if they are about one destination. */
const problemsIn = (error: unknown, { platforms }: ListedPost): string[] =>
  (error instanceof ApiError ? error.problems : []).map(({ param, message }) => {
    const [, place] = /^platforms\[(\d+)\]/.exec(param) ?? [];
    const platform = place === undefined ? undefined : platforms[Number(place)]?.platform;
    return platform === undefined ? message : words.moving.about(platformTitles[platform], message);
  });

async function sendMove(move: Move, workspaceId: string): Promise<Reply> {
  const path = { id: move.post.id };
  const whole = movesAll(move)
    ? undefined
    : (await call<typeof readPostOperation>('GET', '/v1/posts/{id}', { path }, { workspaceId })).post;
  return call<typeof editPostOperation>(
    'PATCH',
    '/v1/posts/{id}',
    { path, body: changeFor(move, whole) },
    { workspaceId },
  );
}

/** `24 Nov 2026, 09:00 CET` */
const whenText = (at: Date, timezone: string): string =>
  `${formatTime(at, timezone, 'full')} ${zoneName(at, timezone)}`;

function doneText(move: Move, timezone: string): string {
  const { post, accountIds, to, remark } = move;
  if (to === null) return words.moving.timeTaken;
  const when = whenText(new Date(to), timezone);
  const text = movesAll(move)
    ? words.moving.moved(when)
    : words.moving.movedPart(accountIds?.length ?? 0, post.platforms.length, when);
  return remark === undefined ? text : `${text} ${remark}`;
}

function stayText(post: ListedPost, at: string | null, timezone: string): string {
  const name = words.moving.named(excerptOf(post, 40));
  return at === null
    ? words.moving.staysDraft(name)
    : words.moving.stays(name, whenText(new Date(at), timezone));
}

function maybeText({ post, to }: Move, timezone: string): string {
  const name = words.moving.named(excerptOf(post, 40));
  return to === null
    ? words.moving.mayHaveLostTime(name)
    : words.moving.mayHaveMoved(name, whenText(new Date(to), timezone));
}

function remarkOf({ reading, typed }: Extract<Destination, { kind: 'time' }>): string | undefined {
  if (typed === undefined) return undefined;
  if (reading.kind === 'skipped') return words.moving.skipped(typed.time);
  // Whoever chose the second one knows.
  return reading.kind === 'repeated' && !typed.isSecond ? words.moving.repeated(typed.time) : undefined;
}

interface MoveNotesProps {
  notes: readonly MoveNote[];
  onDismiss: (note: MoveNote) => void;
}

/** The posts that were not moved, with the reason, until somebody dismisses them. */
export function MoveNotes({ notes, onDismiss }: MoveNotesProps) {
  return notes.map((note) => (
    <Notice
      key={note.id}
      tone={note.tone}
      title={note.title}
      isLive
      actions={
        <>
          <ButtonLink to="/posts/$id" params={{ id: note.postId }} size="small">
            {words.moving.openPost}
          </ButtonLink>
          <IconButton
            icon="cross"
            size="small"
            label={words.shared.actions.dismiss}
            onPress={() => onDismiss(note)}
          />
        </>
      }
    >
      <Reason note={note} />
    </Notice>
  ));
}

function Reason({ note: { lines, error } }: { note: MoveNote }) {
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{sentence(line)}</p>
      ))}
      {error && (needsSignIn(error) || lines.length === 0) && (
        <p>{needsSignIn(error) ? words.shared.errors.signInAgain : sentence(error.message)}</p>
      )}
      {error && <RequestId error={error} />}
    </>
  );
}
