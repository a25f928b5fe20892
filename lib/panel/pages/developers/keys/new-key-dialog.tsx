import { useId, useState } from 'react';
import type { createKeyOperation } from '../../../../people/operations.ts';
import { useSendForSecret } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { AccountChoice } from '../account-choice.tsx';
import { type Expiry, expiresAt } from './expiry.ts';
import { ExpiryChoice } from './expiry-choice.tsx';
import { type Issued, IssuedKey } from './issued-key.tsx';
import { type Permission, PermissionChoice } from './permission-choice.tsx';

/** Asks what a new key is for, then shows it once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [issued, setIssued] = useState<Issued>();
  return (
    <Dialog
      title={issued ? words.keysTab.issued.createdTitle : words.keysTab.form.title}
      isOpen
      size="medium"
      mustDecide={issued !== undefined}
      onClose={onClose}
    >
      {issued ? (
        <IssuedKey issued={issued} onClose={onClose} />
      ) : (
        <NewKeyForm onIssued={setIssued} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface NewKeyFormProps {
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}

function NewKeyForm({ onIssued, onClose }: NewKeyFormProps) {
  const { timezone } = useWorkspace();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[] | null>(null);
  const [accountIds, setAccountIds] = useState<readonly string[] | null>(null);
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'never' });
  const create = useSendForSecret<typeof createKeyOperation>('POST', '/panel/keys', ['/panel/keys']);
  const formId = useId();
  const submit = () => {
    if (create.isPending) return;
    const until = expiresAt(expiry, timezone, Date.now());
    const body = {
      name: name.trim(),
      ...(permissions && { permissions: [...permissions] }),
      ...(accountIds && { accountIds: [...accountIds] }),
      ...(until !== undefined && { expiresAt: until }),
    };
    create.mutate({ request: { body }, onReply: onIssued });
  };
  const texts = words.keysTab.form;
  return (
    <>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={create.error} errorTitle={texts.failed}>
          <TextField
            label={texts.name}
            name="name"
            help={texts.nameHelp}
            value={name}
            onChange={setName}
            maxLength={100}
            validate={(value) => (value.trim() === '' ? texts.nameMissing : null)}
            autoComplete="off"
            autoFocus
          />
          <PermissionChoice value={permissions} onChange={setPermissions} />
          <AccountChoice
            value={accountIds}
            onChange={setAccountIds}
            most={words.keysTab.mostAccounts}
            help={words.keysTab.accountsHelp}
          />
          <ExpiryChoice value={expiry} onChange={setExpiry} />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button variant="primary" type="submit" form={formId} isPending={create.isPending}>
          {texts.submit}
        </Button>
      </DialogActions>
    </>
  );
}
