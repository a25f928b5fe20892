import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isUnanswered, needsSignIn } from '../api/api-error.ts';
import { Button } from '../components/button.tsx';
import { sentence } from '../components/error-notice.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Notice } from '../components/notice.tsx';
import { useCommands } from '../shortcuts.ts';
import { words } from '../words/words.ts';
import classes from './bulk.module.css';
import type { BulkAction } from './bulk.ts';
import type { ListedPost } from './post.ts';
import { PostLink } from './post-parts.tsx';
import { useTags } from './tags.ts';
import type { Bulk, Job, Outcome } from './use-bulk.ts';

const texts = words.bulk;

const loadDialogs = () => import('./bulk-dialogs.tsx');
const MoveManyDialog = lazy(async () => ({ default: (await loadDialogs()).MoveManyDialog }));
const ConfirmManyDialog = lazy(async () => ({ default: (await loadDialogs()).ConfirmManyDialog }));
const TagManyDialog = lazy(async () => ({ default: (await loadDialogs()).TagManyDialog }));

interface BulkBarProps {
  bulk: Bulk;
  selected: readonly ListedPost[];
  /** Said if nothing is selected. */
  idle?: string;
  /** Further buttons. */
  children?: ReactNode;
  className?: string | undefined;
  onClear: () => void;
}

/** A dialog keeps the posts with which it was opened, although the list is read again. */
interface Asked {
  readonly action: BulkAction;
  readonly posts: readonly ListedPost[];
}

/**
 * Says how many posts are selected, and what can be done with them; then, how far that is. Its buttons stay while something is done: they
 * can still have the focus, and what somebody begins waits for its turn.
 */
export function BulkBar({ bulk, selected, idle = '', children, className, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<Asked>();
  const tags = useTags();
  const isAny = selected.length > 0;
  const ask = (action: BulkAction) => setAsked({ action, posts: selected });
  const actions = [
    { id: 'move', icon: 'clock' },
    { id: 'retry', icon: 'refresh' },
    ...(tags === undefined ? [] : [{ id: 'tag', icon: 'pencil' } as const]),
    { id: 'remove', icon: 'trash' },
  ] as const;
  useCommands(
    isAny
      ? [
          ...actions.map(({ id, icon }) => ({
            name: texts.commands[id],
            icon,
            group: 'page' as const,
            ...(id === 'move' && { keys: 'm' }),
            run: () => ask(id),
          })),
          { name: texts.clear, icon: 'cross', group: 'page', keys: 'escape', run: onClear },
        ]
      : [],
  );
  return (
    <>
      <section className={className} aria-label={texts.label}>
        <p className={classes.count} role="status">
          {isAny ? texts.selected(selected.length) : idle}
        </p>
        {isAny &&
          actions.map(({ id, icon }) => (
            <Button key={id} size="small" icon={icon} onPress={() => ask(id)}>
              {texts.actions[id]}
            </Button>
          ))}
        {children}
        {isAny && <IconButton icon="cross" size="small" label={texts.clear} onPress={onClear} />}
      </section>
      {bulk.job && <Progress job={bulk.job} onStop={bulk.stop} />}
      {bulk.outcome && <Ending outcome={bulk.outcome} onDismiss={bulk.dismiss} />}
      {asked && (
        <Suspense>
          <AskDialog {...asked} bulk={bulk} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function AskDialog({ action, bulk, ...dialog }: Asked & { bulk: Bulk; onClose: () => void }) {
  if (action === 'move') return <MoveManyDialog {...dialog} onMove={bulk.move} />;
  if (action === 'tag') return <TagManyDialog {...dialog} onTag={bulk.tag} />;
  return <ConfirmManyDialog {...dialog} action={action} onConfirm={bulk[action]} />;
}

function Progress({ job: { kind, done, all, isStopping }, onStop }: { job: Job; onStop: () => void }) {
  const text = isStopping ? texts.job.stopping : texts.job.running[kind](done, all);
  return (
    <Notice
      tone="info"
      actions={
        <Button size="small" isDisabled={isStopping} onPress={onStop}>
          {texts.job.stop}
        </Button>
      }
    >
      <p role="status">{text}</p>
      <progress className={classes.progress} aria-label={texts.job.progress} max={all} value={done} />
    </Notice>
  );
}

/** More names would push the list out of sight. */
const mostNamed = 20;

/** Says how a job ended that did not do everything, and why. */
function Ending({ outcome, onDismiss }: { outcome: Outcome; onDismiss: () => void }) {
  const { kind, worked, refused, left } = outcome;
  return (
    <Notice
      tone={refused.length > 0 ? 'bad' : 'warn'}
      title={refused.length > 0 ? texts.job.notWorked[kind](refused.length) : texts.job.left(left.length)}
      isLive
      actions={
        <IconButton icon="cross" size="small" label={words.shared.actions.dismiss} onPress={onDismiss} />
      }
    >
      {worked > 0 && <p>{texts.job.worked[kind](worked)}</p>}
      {refused.length > 0 && left.length > 0 && <p>{texts.job.left(left.length)}</p>}
      {refused.length > 0 && (
        <ul className={classes.refused} aria-label={texts.job.refused}>
          {refused.slice(0, mostNamed).map(({ post, error }) => (
            <li key={post.id}>
              <PostLink post={post} characters={60} />
              {': '}
              {needsSignIn(error)
                ? words.shared.errors.signInAgain
                : `${isUnanswered(error) ? `${texts.job.maybe} ` : ''}${sentence(error.message)}`}
            </li>
          ))}
          {refused.length > mostNamed && <li>{texts.job.others(refused.length - mostNamed)}</li>}
        </ul>
      )}
    </Notice>
  );
}
