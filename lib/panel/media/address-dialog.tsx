import { useId, useState } from 'react';
import type { importMediaOperation } from '../../media/operations.ts';
import { useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { TextField } from '../components/text-field.tsx';
import { words } from '../words/words.ts';
import type { MediaView } from './draft-media.ts';

interface AddressDialogProps {
  onClose: () => void;
  onAdd: (media: MediaView) => void;
}

/** Asks for the address of a file on another server. */
export function AddressDialog({ onClose, onAdd }: AddressDialogProps) {
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
    <Dialog title={words.media.address.title} isOpen onClose={onClose}>
      <DialogBody>
        <Form id={formId} onSubmit={submit} error={begin.error} errorTitle={words.media.address.failed}>
          <TextField
            name="url"
            label={words.media.address.label}
            help={isWrong ? words.media.address.wrong : words.media.address.help}
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
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button type="submit" form={formId} variant="primary" isPending={begin.isPending}>
          {words.media.address.add}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
