import type {
  editWebhookOperation,
  removeWebhookOperation,
} from '../../../../webhooks/endpoints/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { toast } from '../../../components/toast-list.ts';
import { EndpointUrl } from '../endpoint-url.tsx';
import { type Endpoint, endpointPaths } from './endpoint.ts';
import { strings } from './strings.ts';

interface EndpointDialogProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** Asks before an endpoint receives nothing for a while. */
export function PauseEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const pause = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const texts = strings.pausing;
  const done = () => {
    toast({ text: texts.done });
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      isOpen
      isPending={pause.isPending}
      error={pause.error}
      onConfirm={() => pause.mutate({ path: { id }, body: { isActive: false } }, { onSuccess: done })}
      onClose={onClose}
    >
      <EndpointUrl url={url} />
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}

/** Asks before an endpoint ends. */
export function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const remove = useSend<typeof removeWebhookOperation>('DELETE', '/v1/webhooks/{id}', [
    ...endpointPaths,
    '/v1/deliveries',
  ]);
  const texts = strings.deletion;
  const done = () => {
    toast({ text: texts.done });
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { id } }, { onSuccess: done })}
      onClose={onClose}
    >
      <EndpointUrl url={url} />
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}
