import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../components/dialog.tsx';
import { words } from '../../../words/words.ts';
import { accountName, useComposing } from './context.ts';

interface PublishDialogProps {
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

const texts = words.composer.confirm;

/** Asks before a post goes out at once. */
export function PublishDialog({ isOpen, onConfirm, onClose }: PublishDialogProps) {
  const { draft, accounts } = useComposing();
  const names = draft.destinations
    .filter(({ time }) => time === undefined)
    .map(({ accountId, platform }) => accountName(accounts, accountId, platform));
  return (
    <Dialog title={texts.title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <DialogBody>
        <p>{texts.text(words.composer.list(names))}</p>
        {names.length < draft.destinations.length && <p>{texts.own}</p>}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {words.shared.actions.cancel}
        </Button>
        <Button
          variant="primary"
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
