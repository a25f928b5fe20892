import type {
  editWebhookOperation,
  removeWebhookOperation,
} from '../../../../webhooks/endpoints/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { EndpointUrl } from '../endpoint-url.tsx';
import { type Endpoint, endpointPaths } from './endpoint.ts';

interface EndpointDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Asks before an endpoint receives nothing for a while. */
export function PauseEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const { mutate, ...sending } = useSend<typeof editWebhookOperation>(
    'PATCH',
    '/v1/webhooks/{id}',
    endpointPaths,
  );
  const pause = (onSuccess: () => void) => mutate({ path: { id }, body: { isActive: false } }, { onSuccess });
  return (
    <Question url={url} texts={words.endpointsTab.pausing} send={pause} {...sending} onClose={onClose} />
  );
}

/** Asks before an endpoint ends. */
export function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const { mutate, ...sending } = useSend<typeof removeWebhookOperation>('DELETE', '/v1/webhooks/{id}', [
    ...endpointPaths,
    '/v1/deliveries',
  ]);
  const remove = (onSuccess: () => void) => mutate({ path: { id } }, { onSuccess });
  return (
    <Question url={url} texts={words.endpointsTab.deletion} send={remove} {...sending} onClose={onClose} />
  );
}

interface QuestionProps {
  url: string;
  texts: Readonly<Record<'title' | 'text' | 'submit' | 'done', string>>;
  send: (onSuccess: () => void) => void;
  isPending: boolean;
  error: Error | null;
  onClose: () => void;
}

function Question({ url, texts, send, isPending, error, onClose }: QuestionProps) {
  const done = () => {
    toast({ text: texts.done });
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.submit}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => send(done)}
      onClose={onClose}
    >
      <EndpointUrl url={url} />
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}
