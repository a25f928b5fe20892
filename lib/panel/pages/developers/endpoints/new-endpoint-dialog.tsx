import { useId, useState } from 'react';
import type { createWebhookOperation } from '../../../../webhooks/endpoints/operations.ts';
import { useSendForSecret } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { words } from '../../../words/words.ts';
import { endpointPaths } from './endpoint.ts';
import { type EndpointDraft, EndpointFields } from './endpoint-fields.tsx';
import { ShownSecret } from './shown-secret.tsx';

/** Asks where events go, then shows the signing secret once. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog
      title={
        secret === undefined ? words.endpointsTab.form.createTitle : words.endpointsTab.secret.createdTitle
      }
      isOpen
      size="medium"
      mustDecide={secret !== undefined}
      onClose={onClose}
    >
      {secret === undefined ? (
        <NewEndpointForm onCreated={setSecret} onClose={onClose} />
      ) : (
        <ShownSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface NewEndpointFormProps {
  onCreated: (secret: string) => void;
  onClose: () => void;
}

function NewEndpointForm({ onCreated, onClose }: NewEndpointFormProps) {
  const [draft, setDraft] = useState<EndpointDraft>({
    url: '',
    description: '',
    events: ['*'],
    accountIds: null,
  });
  const create = useSendForSecret<typeof createWebhookOperation>('POST', '/v1/webhooks', endpointPaths);
  const formId = useId();
  const submit = () => {
    if (create.isPending) return;
    const body = { ...draft, url: draft.url.trim(), description: draft.description.trim() || null };
    create.mutate({ request: { body }, onReply: ({ webhook }) => onCreated(webhook.secret) });
  };
  return (
    <>
      <DialogBody>
        <Form
          id={formId}
          onSubmit={submit}
          error={create.error}
          errorTitle={words.endpointsTab.form.createFailed}
        >
          <EndpointFields draft={draft} onChange={setDraft} />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId} isPending={create.isPending}>
          {words.endpointsTab.form.create}
        </Button>
      </DialogActions>
    </>
  );
}
