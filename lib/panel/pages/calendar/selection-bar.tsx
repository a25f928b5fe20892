import { useState } from 'react';
import type {
  readPostOperation,
  removePostOperation,
  retryPostOperation,
} from '../../../posts/operations.ts';
import type { editPostOperation } from '../../../posts/request/operations.ts';
import { isNotFound } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useRefresh } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { DayField } from '../../components/day-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Row } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { toast } from '../../components/toast-list.ts';
import {
  changeFor,
  type Destination,
  lockOf,
  type Move,
  movesAll,
  onDay,
  undoing,
} from '../../posts/move.ts';
import { canRemove, excerptOf, postPaths } from '../../posts/post.ts';
import { failedTargets, unknownTargets } from '../../posts/remedy.ts';
import { formatTime } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { useTools } from './context.tsx';
import { type Entry, moveOf } from './entries.ts';
import classes from './selection-bar.module.css';

const texts = words.calendarActions;
type Kind = 'move' | 'retry' | 'remove';

interface SelectionBarProps {
  entries: readonly Entry[];
  onClear: () => void;
}

/** The actions for the cards that are selected. A dialog stays open although its cards are gone. */
export function SelectionBar({ entries, onClear }: SelectionBarProps) {
  const [asked, setAsked] = useState<{ readonly kind: Kind; readonly entries: readonly Entry[] }>();
  const ask = (kind: Kind) => setAsked({ kind, entries });
  return (
    <>
      {entries.length > 0 && (
        <section className={classes.bar} aria-label={texts.selection.label}>
          <p role="status">{texts.selection.count(entries.length)}</p>
          <Row>
            <Button size="small" icon="clock" onPress={() => ask('move')}>
              {texts.selection.move}
            </Button>
            <Button size="small" icon="refresh" onPress={() => ask('retry')}>
              {texts.selection.retry}
            </Button>
            <Button size="small" icon="trash" onPress={() => ask('remove')}>
              {texts.selection.remove}
            </Button>
            <Button size="small" variant="quiet" icon="cross" onPress={onClear}>
              {texts.selection.clear}
            </Button>
          </Row>
        </section>
      )}
      {asked && <BulkDialog {...asked} onDone={onClear} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** The result for one card. `kept`: nothing was sent, for a reason. */
type Result =
  | { readonly kind: 'running' | 'done' }
  | { readonly kind: 'kept' | 'failed'; readonly reason: string };

const tones: Readonly<Record<Result['kind'] | 'waiting', Tone>> = {
  waiting: 'neutral',
  running: 'info',
  done: 'good',
  kept: 'warn',
  failed: 'bad',
};

interface BulkDialogProps {
  kind: Kind;
  entries: readonly Entry[];
  onDone: () => void;
  onClose: () => void;
}

/** Asks, then does it card by card, and shows what became of each. Closing it stops what has not begun. */
function BulkDialog({ kind, entries, onDone, onClose }: BulkDialogProps) {
  const { timezone, today } = useTools();
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefresh(postPaths);
  const [day, setDay] = useState(today);
  const [problem, setProblem] = useState<string>();
  const [results, setResults] = useState<ReadonlyMap<string, Result>>();
  const [run] = useState(() => ({ isStopped: false }));
  const own = texts.bulk[kind];
  const isRunning = results !== undefined && results.size < entries.length;
  const close = () => {
    run.isStopped = true;
    onClose();
    if (results !== undefined) onDone();
  };

  const go = async () => {
    if (kind === 'move' && day === '') return setProblem(texts.bulk.incomplete);
    const found = new Map<string, Result>();
    const say = (key: string, result: Result) => {
      found.set(key, result);
      setResults(new Map(found));
    };
    const moved: Undoable[] = [];
    setResults(found);
    // A retry and a deletion concern all of a post, whatever number of its cards is selected.
    const finished = new Set<string>();
    for (const entry of entries) {
      if (run.isStopped) break;
      const { key, post } = entry;
      if (kind !== 'move' && finished.has(post.id)) {
        say(key, { kind: 'done' });
        continue;
      }
      const reason = reasonAgainst(kind, entry);
      const to = kind === 'move' ? onDay(entry.at, day, timezone, Date.now()) : undefined;
      const kept = reason ?? (to && reasonOf(to));
      if (kept !== undefined) {
        say(key, { kind: 'kept', reason: kept });
        continue;
      }
      say(key, { kind: 'running' });
      try {
        if (to?.kind === 'time') moved.push(await moveEntry(entry, to, workspaceId));
        else if (kind === 'retry') await retry(post.id, workspaceId);
        else await remove(post.id, workspaceId);
        finished.add(post.id);
        say(key, { kind: 'done' });
      } catch (error) {
        say(key, {
          kind: 'failed',
          reason: sentence(error instanceof Error ? error.message : String(error)),
        });
      }
    }
    refresh();
    const done = [...found.values()].filter((each) => each.kind === 'done').length;
    const text = own.done(done, entries.length);
    if (moved.length === 0) return toast({ text });
    toast({
      text,
      action: {
        label: words.shared.toasts.undo,
        run: () => void undoAll(moved, workspaceId).finally(refresh),
      },
    });
  };

  return (
    <Dialog title={own.title(entries.length)} isOpen onClose={close}>
      <DialogBody>
        <p>{own.text}</p>
        {kind === 'move' && results === undefined && (
          <DayField
            label={texts.bulk.day}
            value={day}
            onChange={(next) => {
              setProblem(undefined);
              setDay(next);
            }}
          />
        )}
        {problem !== undefined && (
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        )}
        <ul className={classes.list} aria-label={texts.bulk.list} aria-live="polite">
          {entries.map((entry) => (
            <BulkRow
              key={entry.key}
              entry={entry}
              result={results?.get(entry.key)}
              hasBegun={results !== undefined}
            />
          ))}
        </ul>
      </DialogBody>
      <DialogActions>
        {results === undefined ? (
          <>
            <Button onPress={close}>{words.shared.actions.cancel}</Button>
            <Button variant={kind === 'remove' ? 'danger' : 'primary'} onPress={() => void go()}>
              {own.action}
            </Button>
          </>
        ) : (
          <Button variant="primary" onPress={close}>
            {isRunning ? words.shared.actions.cancel : words.shared.actions.close}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface BulkRowProps {
  entry: Entry;
  result: Result | undefined;
  hasBegun: boolean;
}

function BulkRow({ entry: { post, at }, result, hasBegun }: BulkRowProps) {
  const { timezone } = useTools();
  const kind = result?.kind ?? 'waiting';
  return (
    <li className={classes.row}>
      <span className={classes.words}>
        <bdi>{excerptOf(post, 60) ?? words.post.noText}</bdi>
        <span className={classes.minor}>
          {result !== undefined && 'reason' in result
            ? result.reason
            : formatTime(new Date(at), timezone, 'full')}
        </span>
      </span>
      {hasBegun && <Status tone={tones[kind]}>{texts.bulk.states[kind]}</Status>}
    </li>
  );
}

/** Returns the reason why nothing is sent for a card. */
function reasonAgainst(kind: Kind, { post }: Entry): string | undefined {
  const { cannot } = texts.bulk;
  if (kind === 'move') return lockOf(post) === undefined ? undefined : cannot.move;
  if (kind === 'remove') return canRemove(post) ? undefined : cannot.remove;
  if (unknownTargets(post).length > 0) return cannot.unknown;
  return failedTargets(post).length > 0 ? undefined : cannot.retry;
}

const reasonOf = (to: Destination): string | undefined =>
  to.kind === 'past' ? texts.bulk.cannot.past : to.kind === 'same' ? texts.bulk.cannot.same : undefined;

/** A move, with the post as the service has answered. */
interface Undoable {
  readonly move: Move;
  readonly post: Move['post'];
}

async function moveEntry(
  entry: Entry,
  to: Extract<Destination, { kind: 'time' }>,
  workspaceId: string,
): Promise<Undoable> {
  const { at, ...movable } = moveOf(entry);
  const move: Move = { ...movable, from: at, to: to.at.toISOString() };
  return { move, post: await send(move, workspaceId) };
}

async function send(move: Move, workspaceId: string): Promise<Move['post']> {
  const path = { id: move.post.id };
  const whole = movesAll(move)
    ? undefined
    : (await call<typeof readPostOperation>('GET', '/v1/posts/{id}', { path }, { workspaceId })).post;
  const body = changeFor(move, whole);
  return (await call<typeof editPostOperation>('PATCH', '/v1/posts/{id}', { path, body }, { workspaceId }))
    .post;
}

async function undoAll(moved: readonly Undoable[], workspaceId: string): Promise<void> {
  let failed = 0;
  for (const { move, post } of moved)
    await send(undoing(move, post), workspaceId).catch(() => {
      failed += 1;
    });
  if (moved.length > failed) toast({ text: texts.bulk.undone(moved.length - failed) });
  if (failed > 0) toast({ text: texts.bulk.notUndone(failed), tone: 'bad' });
}

const retry = (id: string, workspaceId: string) =>
  call<typeof retryPostOperation>('POST', '/v1/posts/{id}/retry', { path: { id } }, { workspaceId });

/** A post that is gone is deleted, such as after a request whose reply was lost. */
const remove = (id: string, workspaceId: string) =>
  call<typeof removePostOperation>('DELETE', '/v1/posts/{id}', { path: { id } }, { workspaceId }).catch(
    (error: unknown) => {
      if (!isNotFound(error as Error)) throw error;
    },
  );
