import { useId, useState } from 'react';
import type { importMediaOperation } from '../../media/operations.ts';
import { useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { TextField } from '../components/text-field.tsx';
import { strings as shared } from '../strings.ts';
import type { MediaView } from './media-watch.tsx';
import { strings } from './strings.ts';

interface AddressDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The service has begun to fetch the file. */
  readonly onAdd: (media: MediaView) => void;
}

/** Asks for the address of a file on another server. */
export function AddressDialog({ isOpen, onClose, onAdd }: AddressDialogProps) {
  return (
    <Dialog title={strings.address.title} isOpen={isOpen} onClose={onClose}>
      <AddressForm onClose={onClose} onAdd={onAdd} />
    </Dialog>
  );
}

function AddressForm({ onClose, onAdd }: Omit<AddressDialogProps, 'isOpen'>) {
  const [address, setAddress] = useState('');
  const [isWrong, setWrong] = useState(false);
  const begin = useSend<typeof importMediaOperation>('POST', '/v1/media');
  const submit = () => {
    const url = address.trim();
    if (!URL.canParse(url) || !url.startsWith('https://')) return setWrong(true);
    begin.mutate({ body: { url } }, { onSuccess: ({ media }) => onAdd(media) });
  };
  const formId = useId();
  return (
    <>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={begin.error} errorTitle={strings.address.failed}>
          <TextField
            name="url"
            label={strings.address.label}
            help={isWrong ? strings.address.wrong : strings.address.help}
            isInvalid={isWrong}
            placeholder="https://"
            inputMode="url"
            autoComplete="off"
            value={address}
            onChange={(text) => {
              setAddress(text);
              setWrong(false);
            }}
            autoFocus
          />
        </Form>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{shared.actions.cancel}</Button>
        <Button type="submit" form={formId} variant="primary" isPending={begin.isPending}>
          {strings.address.add}
        </Button>
      </DialogActions>
    </>
  );
}
