import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { resolveTargetOperation } from '../../../posts/operations.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { TextField } from '../../components/text-field.tsx';
import { toast } from '../../components/toast-list.ts';
import { type Post, postPaths, type Target } from '../../posts/post.ts';
import { failedTargets, placeToCheck } from '../../posts/remedy.ts';

import { retryFailure, useRetry } from '../../posts/retry.tsx';
import { words } from '../../words/words.ts';

const texts = words.postPage.verdict;

/** True if a person can say, or has said, whether a failed destination is live. */
export const isDoubtful = ({ status, errorDetail }: Target): boolean =>
  status === 'failed' && (errorDetail?.code === 'outcome_unknown' || isSaidNotLive(errorDetail));

const isSaidNotLive = (detail: Target['errorDetail']): boolean => detail?.code === 'not_live';

interface VerdictProps {
  target: Target;
  post: Post;
  successor: RefObject<HTMLElement | null>;
}

/**
 * Asks whether a destination of unknown outcome is live. It stays while the person decides what to do with one that is not, although
 * the question is answered by then.
 */
export function Verdict({ target, post, successor }: VerdictProps) {
  const [open, setOpen] = useState<'live' | 'not live'>();
  const retry = useRetry(post);
  const hasFocus = useRef(false);
  useEffect(
    () => () => {
      // By then its dialog has given the focus away.
      if (hasFocus.current) requestAnimationFrame(() => successor.current?.focus());
    },
    [successor],
  );
  const close = () => setOpen(undefined);
  const url = placeToCheck(target.error);
  return (
    <Stack
      gap={2}
      align="start"
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      {!isSaidNotLive(target.errorDetail) && (
        <>
          {url !== undefined && (
            <ExternalLink href={url}>{words.post.openPlatform(platformTitles[target.platform])}</ExternalLink>
          )}
          <strong>{texts.question}</strong>
          <Row>
            <Button size="small" onPress={() => setOpen('live')}>
              {texts.live.open}
            </Button>
            <Button size="small" onPress={() => setOpen('not live')}>
              {texts.notLive.open}
            </Button>
          </Row>
        </>
      )}
      {retry.error && <ErrorNotice error={retry.error} title={retryFailure(retry.error)} />}
      {open === 'live' && <LiveDialog target={target} post={post} onClose={close} />}
      {open === 'not live' && (
        <NotLiveDialog
          target={target}
          post={post}
          onClose={close}
          onRetry={() => {
            close();
            retry.start();
          }}
        />
      )}
      {retry.dialog}
    </Stack>
  );
}

interface AnswerProps {
  target: Target;
  post: Post;
  onClose: () => void;
}

const useVerdict = () =>
  useSend<typeof resolveTargetOperation>('POST', '/v1/posts/{id}/targets/{accountId}/resolve', postPaths);

function LiveDialog({ target, post, onClose }: AnswerProps) {
  const { accountId, platform } = target;
  const [permalink, setPermalink] = useState('');
  const { mutateAsync, isPending, error } = useVerdict();
  const formId = useId();
  const send = async () => {
    // Not with `onSuccess`: the dialog goes with the question once the post is read again, and its callbacks would go too.
    await mutateAsync({
      path: { id: post.id, accountId },
      body: { outcome: 'live', permalink: permalink.trim() },
    });
    toast({ text: texts.live.done });
    onClose();
  };
  return (
    <Dialog title={texts.live.title} isOpen onClose={onClose}>
      <DialogBody>
        <p>{texts.live.text(platformTitles[platform])}</p>
        <Form
          id={formId}
          onSubmit={() => void send().catch(() => undefined)}
          error={error}
          errorTitle={texts.failed}
        >
          <TextField
            label={texts.live.permalink}
            help={texts.live.permalinkHelp}
            name="permalink"
            inputMode="url"
            value={permalink}
            onChange={setPermalink}
            autoFocus
          />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          type="submit"
          form={formId}
          variant="primary"
          isDisabled={permalink.trim() === ''}
          isPending={isPending}
        >
          {texts.live.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Asks once more, because a wrong answer publishes the post twice; then offers to try again. */
function NotLiveDialog({ target, post, onClose, onRetry }: AnswerProps & { onRetry: () => void }) {
  const { accountId, platform } = target;
  const { mutate, isPending, isSuccess, error } = useVerdict();
  const send = () => mutate({ path: { id: post.id, accountId }, body: { outcome: 'not live' } });
  const failed = failedTargets(post).length;
  return (
    <Dialog title={isSuccess ? texts.next.title : texts.notLive.title} isOpen onClose={onClose}>
      <DialogBody>
        {isSuccess ? (
          <>
            <p>{texts.next.text(platformTitles[platform])}</p>
            {failed > 1 && <p>{texts.next.all(failed)}</p>}
          </>
        ) : (
          <p>{texts.notLive.text(platformTitles[platform])}</p>
        )}
        {error && <ErrorNotice error={error} title={texts.failed} />}
      </DialogBody>
      {isSuccess ? (
        <DialogActions>
          <Button onPress={onClose}>{texts.next.later}</Button>
          <Button key="next" variant="primary" icon="refresh" onPress={onRetry} autoFocus>
            {words.postPage.retryAll.action(failed)}
          </Button>
        </DialogActions>
      ) : (
        <DialogActions>
          <Button onPress={onClose} autoFocus>
            {words.shared.actions.cancel}
          </Button>
          <Button key="send" variant="primary" isPending={isPending} onPress={send}>
            {texts.notLive.confirm}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
