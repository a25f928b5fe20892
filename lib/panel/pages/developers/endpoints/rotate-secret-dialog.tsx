import { useState } from 'react';
import type { rotateSecretOperation } from '../../../../webhooks/endpoints/operations.ts';
import { useSendForSecret } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { words } from '../../../words/words.ts';
import { EndpointUrl } from '../endpoint-url.tsx';
import { type Endpoint, endpointPaths } from './endpoint.ts';
import { ShownSecret } from './shown-secret.tsx';

interface RotateSecretDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Asks before an endpoint gets another secret, then shows it once. */
export function RotateSecretDialog({ endpoint: { id, url }, onClose }: RotateSecretDialogProps) {
  const [secret, setSecret] = useState<string>();
  const rotate = useSendForSecret<typeof rotateSecretOperation>(
    'POST',
    '/v1/webhooks/{id}/rotate-secret',
    endpointPaths,
  );
  const texts = words.endpointsTab.rotation;
  const confirm = () =>
    rotate.mutate({
      request: { path: { id } },
      onReply: ({ webhook }) => setSecret(webhook.secret),
    });
  const isShown = secret !== undefined;
  return (
    <Dialog
      title={isShown ? words.endpointsTab.secret.rotatedTitle : texts.title}
      isOpen
      size={isShown ? 'medium' : 'small'}
      mustDecide={isShown}
      onClose={onClose}
    >
      {isShown ? (
        <ShownSecret secret={secret} isRotated onClose={onClose} />
      ) : (
        <>
          <DialogBody>
            <EndpointUrl url={url} />
            <p>{texts.text}</p>
            <p>{texts.twice}</p>
            {rotate.error && <ErrorNotice error={rotate.error} title={texts.failed} />}
          </DialogBody>
          <DialogActions>
            <Button onPress={onClose} autoFocus>
              {words.shared.actions.cancel}
            </Button>
            <Button variant="primary" isPending={rotate.isPending} onPress={confirm}>
              {texts.submit}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
