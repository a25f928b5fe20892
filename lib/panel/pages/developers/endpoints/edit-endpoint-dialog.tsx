import { useId, useState } from 'react';
import type { editWebhookOperation } from '../../../../webhooks/endpoints/operations.ts';
import { useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { type Endpoint, endpointPaths } from './endpoint.ts';
import { type EndpointDraft, EndpointFields } from './endpoint-fields.tsx';

interface EditEndpointDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

/** Changes where events go, and which. */
export function EditEndpointDialog({ endpoint, onClose }: EditEndpointDialogProps) {
  const { url, events, accountIds } = endpoint;
  const [draft, setDraft] = useState<EndpointDraft>({
    url,
    events,
    accountIds,
    description: endpoint.description ?? '',
  });
  const edit = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const formId = useId();
  const submit = () => {
    if (edit.isPending) return;
    const onSuccess = () => {
      toast({ text: words.endpointsTab.form.saved });
      onClose();
    };
    edit.mutate({ path: { id: endpoint.id }, body: changesOf(endpoint, draft) }, { onSuccess });
  };
  return (
    <Dialog title={words.endpointsTab.form.editTitle} isOpen size="medium" onClose={onClose}>
      <DialogBody>
        <Form
          id={formId}
          onSubmit={submit}
          error={edit.error}
          errorTitle={words.endpointsTab.form.editFailed}
        >
          <EndpointFields draft={draft} onChange={setDraft} />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId} isPending={edit.isPending}>
          {words.endpointsTab.form.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Only what differs: what somebody else changes meanwhile stays, and so does an account that is disconnected by now. */
function changesOf(before: Endpoint, draft: EndpointDraft) {
  const after = { ...draft, url: draft.url.trim(), description: draft.description.trim() || null };
  const { url, description, events, accountIds } = after;
  return {
    ...(url !== before.url && { url }),
    ...(description !== before.description && { description }),
    ...(!isSame(events, before.events) && { events }),
    ...(!isSame(accountIds, before.accountIds) && { accountIds }),
  };
}

const isSame = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted());
