import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { disconnectAccountOperation, previewDisconnectOperation } from '../../../accounts/operations.ts';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { toast } from '../../components/toast-list.ts';
import { words } from '../../words/words.ts';
import classes from './account-page.module.css';
import { ReadFailure } from './read-failure.tsx';

interface DisconnectDialogProps {
  account: Account;
  isOpen: boolean;
  onClose: () => void;
}

const texts = words.accountsPage.disconnect;
const namedAtMost = 5;

/** Says what disconnecting the account would stop, and does it once the person has confirmed that. */
export function DisconnectDialog({ account, isOpen, onClose }: DisconnectDialogProps) {
  return (
    <Dialog
      title={texts.dialogTitle(nameOf(account))}
      role="alertdialog"
      size="medium"
      isOpen={isOpen}
      onClose={onClose}
    >
      <Question account={account} onClose={onClose} />
    </Dialog>
  );
}

function Question({ account, onClose }: Omit<DisconnectDialogProps, 'isOpen'>) {
  const navigate = useNavigate();
  const [isSure, setSure] = useState(false);
  const request = { path: { id: account.id } };
  const preview = useGet<typeof previewDisconnectOperation>('/v1/accounts/{id}/disconnect-preview', request);
  const disconnect = useSend<typeof disconnectAccountOperation>('DELETE', '/v1/accounts/{id}', [
    '/v1/accounts',
  ]);
  const confirm = () =>
    disconnect.mutate(request, {
      onSuccess: () => {
        toast({ text: texts.done(nameOf(account)) });
        void navigate({ to: '/accounts' });
      },
    });
  return (
    <>
      <DialogBody>
        <p>{texts.text}</p>
        {preview.isPending && (
          <div role="status" aria-label={texts.reading}>
            <Skeleton kind="text" rows={3} />
          </div>
        )}
        {!preview.data && <ReadFailure read={preview} title={texts.notRead} />}
        {preview.data && (
          <>
            <Consequences preview={preview.data} />
            <Checkbox isSelected={isSure} onChange={setSure}>
              {texts.confirm(nameOf(account))}
            </Checkbox>
          </>
        )}
        {disconnect.error && <ErrorNotice error={disconnect.error} title={texts.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {words.shared.actions.cancel}
        </Button>
        <Button
          variant="danger"
          isDisabled={!isSure || preview.data === undefined}
          isPending={disconnect.isPending}
          onPress={confirm}
        >
          {texts.action}
        </Button>
      </DialogActions>
    </>
  );
}

function Consequences({ preview }: { preview: ReplyOf<typeof previewDisconnectOperation> }) {
  const { scheduledTargets, waitingChainSteps, activeAutomations, revokesAccess, accountsOfSameLogin } =
    preview;
  const more = accountsOfSameLogin.length - namedAtMost;
  const stops = [
    scheduledTargets > 0 && texts.posts(scheduledTargets),
    waitingChainSteps > 0 && texts.chainSteps(waitingChainSteps),
    activeAutomations > 0 && texts.automations(activeAutomations),
  ].filter((text) => text !== false);
  return (
    <>
      {stops.length === 0 ? (
        <p>{texts.stopsNothing}</p>
      ) : (
        <Notice tone="warn" title={texts.stops}>
          <ul className={classes.stops}>
            {stops.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p>{revokesAccess ? texts.revokes : texts.keeps}</p>
      {accountsOfSameLogin.length > 0 && (
        <div>
          <p>{texts.others}</p>
          <ul className={classes.others}>
            {accountsOfSameLogin.slice(0, namedAtMost).map((other) => (
              <li key={other.id} className={classes.other}>
                <PlatformMark platform={other.platform} />
                <span>
                  <bdi>{nameOf(other)}</bdi> ({platformTitles[other.platform]})
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p>{texts.moreOthers(more)}</p>}
        </div>
      )}
    </>
  );
}
