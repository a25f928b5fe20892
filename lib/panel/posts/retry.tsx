import { type ReactNode, useEffect, useState } from 'react';
import type { retryPostOperation } from '../../posts/operations.ts';
import { nameOf } from '../accounts/account.ts';
import { PlatformMark } from '../accounts/platform-mark.tsx';
import { platformTitles } from '../accounts/platforms.ts';
import { useAccountsById } from '../accounts/use-accounts.ts';
import { isUnanswered } from '../api/api-error.ts';
import { useRefresh, useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { ErrorNotice, sentence } from '../components/error-notice.tsx';
import { Muted } from '../components/layout.tsx';
import { ExternalLink } from '../components/link.tsx';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import { type ListedPost, type ListedTarget, postPaths } from './post.ts';
import { placeToCheck, reasonIn, unknownTargets } from './remedy.ts';
import classes from './retry.module.css';

const texts = words.post.retry;
/** Lists of posts may lag behind by a second. */
const lagMs = 1_500;

interface Retry {
  /** Retries, or asks first if a destination may be live. */
  start: () => void;
  isPending: boolean;
  /** True if it was begun, and the post is still shown as it was before. */
  isBegun: boolean;
  /** The reason why it did not begin. `null` while the dialog shows it. */
  error: Error | null;
  /** The dialog, for the page to show. */
  dialog: ReactNode;
}

/** Tries the failed destinations of a post again. */
export function useRetry(post: ListedPost): Retry {
  const [isAsking, setAsking] = useState(false);
  const [begunFor, setBegunFor] = useState<string>();
  const send = useSend<typeof retryPostOperation>('POST', '/v1/posts/{id}/retry', postPaths);
  const refresh = useRefresh(postPaths);
  const version = `${post.id} ${post.updatedAt} ${post.status}`;
  const isBegun = begunFor === version;
  useEffect(() => {
    if (!isBegun) return;
    const timer = setTimeout(refresh, lagMs);
    return () => clearTimeout(timer);
  }, [isBegun, refresh]);
  const retry = () =>
    // Not with `onSuccess`: what offers the retry may be gone once the post is read again, and its callbacks would be gone too.
    void send.mutateAsync({ path: { id: post.id } }).then(
      () => {
        setAsking(false);
        setBegunFor(version);
        toast({ text: texts.begun });
      },
      () => undefined,
    );
  const unknown = unknownTargets(post);
  return {
    start: () => {
      send.reset();
      if (unknown.length > 0) setAsking(true);
      else retry();
    },
    isPending: send.isPending,
    isBegun,
    error: isAsking ? null : send.error,
    dialog: (
      <Dialog title={texts.title} size="medium" isOpen={isAsking} onClose={() => setAsking(false)}>
        <Question
          targets={unknown}
          error={send.error}
          isPending={send.isPending}
          onConfirm={retry}
          onClose={() => setAsking(false)}
        />
      </Dialog>
    ),
  };
}

/** Says what a failed request to retry means for the post. */
export const retryFailure = (error: Error): string => (isUnanswered(error) ? texts.unanswered : texts.failed);

interface QuestionProps {
  targets: readonly ListedTarget[];
  error: Error | null;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Only the person can know whether the post is there. A wrong answer publishes it twice. */
function Question({ targets, error, isPending, onConfirm, onClose }: QuestionProps) {
  const [hasLooked, setLooked] = useState(false);
  return (
    <>
      <DialogBody>
        <p>{texts.text}</p>
        <ul className={classes.targets}>
          {targets.map((target) => (
            <WhatToCheck key={target.accountId} target={target} />
          ))}
        </ul>
        <Checkbox isSelected={hasLooked} onChange={setLooked} note={texts.lookedNote}>
          {texts.looked(targets.length)}
        </Checkbox>
        {error && <ErrorNotice error={error} title={retryFailure(error)} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" isDisabled={!hasLooked} isPending={isPending} onPress={onConfirm}>
          {texts.confirm}
        </Button>
      </DialogActions>
    </>
  );
}

function WhatToCheck({ target: { accountId, platform, error } }: { target: ListedTarget }) {
  const account = useAccountsById()?.get(accountId);
  const url = placeToCheck(error);
  return (
    <li className={classes.target}>
      <PlatformMark platform={platform} />
      <div className={classes.words}>
        <strong>
          <bdi>{account === undefined ? words.account.disconnected : nameOf(account)}</bdi>
        </strong>{' '}
        <Muted as="span" size="m">
          {platformTitles[platform]}
        </Muted>
        {error !== null && (
          <p dir="auto" className={classes.said}>
            {sentence(reasonIn(error))}
          </p>
        )}
        {url !== undefined && (
          <ExternalLink href={url}>{words.post.openPlatform(platformTitles[platform])}</ExternalLink>
        )}
      </div>
    </li>
  );
}
